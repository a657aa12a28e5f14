/** @file The part of Node's `url` that `@vscode/debugadapter` uses, for browsers. */
exports.URL = URL;
exports.parse = (text) => new URL(text);

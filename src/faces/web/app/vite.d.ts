/** @file What the bundler adds to the language, as far as it is used here; its own types would bring Node's along. */
interface ImportMeta {
  readonly url: string;
  glob<T>(
    pattern: string | readonly string[],
    options: { readonly query?: string; readonly import?: string; readonly eager: true },
  ): Record<string, T>;
}

declare module '*.css';

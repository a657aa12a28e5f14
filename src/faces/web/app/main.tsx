/** @file The page's beginning. */
document.title = 'npdb';

/** @file Text made safe for HTML: everything that comes from a program or a model passes through here. */

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const safe = (text: string): string => text.replace(/[&<>"']/g, (c) => NAMED[c]!);

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

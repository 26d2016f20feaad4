import { contentPolicy, inlineSource } from '../http/content-policy.ts';

// HTML helpers for the reference pages.

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
/** Escapes special characters of a string for HTML. */
export const plain = (text: string): string => text.replace(/[&<>"]/g, (sign) => replacements[sign] ?? sign);
/** Converts text to HTML. A passage in backticks becomes a `<code>` element. */
export const prose = (text: unknown): string =>
  plain(typeof text === 'string' ? text : '').replace(/`([^`]+)`/g, '<code>$1</code>');

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:1rem;color:#1c2733}
pre{background:#f4f6f8;overflow:auto;padding:.5rem .75rem}code,h3{font-family:ui-monospace,monospace}h2{border-bottom:1px solid #d5dce3;margin-top:2.5rem}h3{font-size:1rem;margin:2rem 0 .25rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0}td,th{border-top:1px solid #e4e9ee;padding:.25rem .5rem;text-align:left;vertical-align:top}
nav a{margin-right:.75rem}.m{color:#0b6b4f;font-weight:600}summary{cursor:pointer;color:#42566b}`;

/** Returns an HTML table row. The cells must be HTML. */
export const row = (...cells: readonly string[]): string =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

/** Returns the content security policy for a reference page. Allows the page's own style and its script, if any. */
export const docsPolicy = (script?: string): string =>
  contentPolicy({
    styles: [inlineSource(style)],
    ...(script === undefined ? {} : { scripts: [inlineSource(script)] }),
  });

/** Returns an HTML document. The body must be HTML; the optional script is inserted at the end. */
export const page = (title: string, body: string, script?: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${plain(title)}</title><style>${style}</style></head><body>${body}${script === undefined ? '' : `<script>${script}</script>`}</body></html>`;

import type { Request } from './operations/types.ts';

export { requests } from './operations/index.ts';
export type { Request } from './operations/types.ts';

/** Builds the URL for a request below /api/v1. */
export function addressOf(path: string, { path: parameters = {}, query = {} }: Request): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

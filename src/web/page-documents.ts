import { createRequire } from 'node:module';

const files = ['portal-documents.js'] as const;

/** The texts among the members of a module or an object, however deep. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** The documents our own pages send, read from the scripts the browser reads them from. */
export function pageDocuments(): readonly string[] {
  const load = createRequire(import.meta.url);
  return files.flatMap((file) => textsIn(load(`./assets/${file}`)));
}

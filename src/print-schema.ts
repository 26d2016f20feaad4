import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { lexicographicSortSchema } from 'graphql';
import { schema } from './schema.ts';

/** The public API as text: sorted, with every description. */
export const printedSchema = (): string => `${printSchemaWithDirectives(lexicographicSortSchema(schema))}\n`;

if (process.argv[1] === import.meta.filename) {
  await writeFile(path.resolve(import.meta.dirname, '../schema.graphql'), printedSchema());
}

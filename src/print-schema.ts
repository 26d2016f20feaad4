import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { printedSchema } from './graphql/print.ts';
import { schema } from './schema.ts';

await writeFile(path.resolve(import.meta.dirname, '../schema.graphql'), printedSchema(schema));

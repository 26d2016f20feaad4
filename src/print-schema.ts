import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { printedSchema } from './graphql/declare/print.ts';
import { root } from './platform/root.ts';
import { schema } from './schema.ts';

await writeFile(path.join(root, 'schema.graphql'), printedSchema(schema));

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { printedSchema } from './graphql/declare/print.ts';
import { root } from './platform/root.ts';
import { clientOperations, clientTypes } from './rest/client-types.ts';
import { schema } from './schema.ts';

await writeFile(path.join(root, 'schema.graphql'), printedSchema(schema));

const client = path.join(root, 'src/packages/sdk/generated');
await writeFile(path.join(client, 'operations.ts'), clientOperations(schema));
await writeFile(path.join(client, 'types.ts'), clientTypes(schema));

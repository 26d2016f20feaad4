import { buildSchema, type GraphQLSchema } from 'graphql';
import { schemaText } from '../../data/explorer-requests.ts';

let read: Promise<GraphQLSchema> | null = null;

/** Loads the schema of the service once. The schema isn't validated, because the service generates it. */
export function readSchema(): Promise<GraphQLSchema> {
  read ??= schemaText()
    .then((text) => buildSchema(text, { assumeValid: true, assumeValidSDL: true }))
    .catch((error: unknown) => {
      read = null;
      throw error;
    });
  return read;
}

import { buildSchema, type GraphQLSchema } from 'graphql';
import { schemaText } from '../../data/explorer-requests.ts';

let read: Promise<GraphQLSchema> | null = null;

/** Loads the schema of the service once. It isn't validated, because the service has generated it. */
export function readSchema(): Promise<GraphQLSchema> {
  read ??= schemaText()
    .then((text) => buildSchema(text, { assumeValid: true, assumeValidSDL: true }))
    .catch((error: unknown) => {
      read = null;
      throw error;
    });
  return read;
}

import { buildSchema, type GraphQLSchema } from 'graphql';
import { schemaText } from '../../data/explore.ts';

let read: Promise<GraphQLSchema> | null = null;

/** The schema of the service, read once: the service printed it, so it is not checked again. */
export function readSchema(): Promise<GraphQLSchema> {
  read ??= schemaText()
    .then((text) => buildSchema(text, { assumeValid: true, assumeValidSDL: true }))
    .catch((error: unknown) => {
      read = null;
      throw error;
    });
  return read;
}

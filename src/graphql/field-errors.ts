import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLEnumType,
  type GraphQLField,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql';
import { type ErrorCode, errorCodes } from '../domain/errors.ts';
import type { Access } from './access.ts';
import { directiveOn, withDirective } from './directives.ts';
import type { RestRoute } from './rest.ts';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      errors: FieldErrorsPlugin<Types>;
    }
    interface FieldOptions {
      /** Codes a root field answers besides those of its `rest` option and those every field can answer. */
      errors?: readonly ErrorCode[];
    }
  }
}

/** The codes any root field can answer. */
export const generalErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'validation_error',
  'invalid_json',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'idempotency_in_progress',
  'idempotency_key_mismatch',
  'idempotency_unavailable',
  'internal_error',
]);

type Options = {
  readonly rest?: RestRoute;
  readonly errors?: readonly ErrorCode[];
  readonly access?: Access;
};

/** The codes of a root field beyond the general ones, in the order of the code table. */
function codesFrom({ rest, errors = [], access = { anonymous: true } }: Options): ErrorCode[] {
  const isSandboxOnly = 'environment' in access && access.environment === 'sandbox';
  const wantsProof = 'proof' in access && access.proof === true;
  const declared = [
    ...(rest?.errors ?? []),
    ...errors,
    ...(isSandboxOnly ? ['sandbox_only'] : []),
    ...(wantsProof ? ['reauthentication_required'] : []),
  ];
  const known = Object.keys(errorCodes) as ErrorCode[];
  return known.filter((code) => declared.includes(code) && !generalErrors.has(code));
}

/** Keeps the errors a root field declares in the schema as the directive `@errors(codes:)`. */
export class FieldErrorsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const codes = codesFrom(field.pothosOptions as Options);
    return codes.length === 0 ? field : withDirective(field, 'errors', { codes });
  }
}

SchemaBuilder.registerPlugin('errors', FieldErrorsPlugin);

/** The codes a root field of the built schema declares; without the general ones. */
export const errorsOf = (field: GraphQLField<unknown, unknown>): readonly ErrorCode[] =>
  (directiveOn(field, 'errors')?.['codes'] ?? []) as readonly ErrorCode[];

export const ErrorCodeType = new GraphQLEnumType({
  name: 'ErrorCode',
  description: 'What went wrong, as `extensions.code` of an error says it. Codes are added, never renamed.',
  values: Object.fromEntries(
    Object.entries(errorCodes).map(([code, { meaning }]) => [code, { description: meaning }]),
  ),
});

export const errorsDirective = new GraphQLDirective({
  name: 'errors',
  description: `The codes a field can answer besides those every field can: ${[...generalErrors].map((code) => `\`${code}\``).join(', ')}.`,
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    codes: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(ErrorCodeType))),
      description: 'The codes, in the order of the enum.',
    },
  },
});

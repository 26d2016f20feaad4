import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLEnumType,
  type GraphQLField,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql';
import { type ErrorCode, errorCodes } from '../../domain/errors/errors.ts';
import type { Access } from './access.ts';
import { directiveOn, withDirective } from './directives.ts';

/**
 * Error code of a field, optionally with the condition for the error. The condition continues a sentence after the word "if", for example
 * `another customer has this external ID`.
 */
export type DeclaredError = ErrorCode | readonly [code: ErrorCode, condition: string];

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      errors: FieldErrorsPlugin<Types>;
    }
    interface FieldOptions {
      /**
       * Error codes for a root field, in addition to the general codes. Used for the directive `@errors`, the field's description, and the
       * OpenAPI responses.
       */
      errors?: readonly DeclaredError[];
    }
  }
}

/** Error codes that every root field can return. */
export const generalErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'validation_error',
  'invalid_json',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'idempotency_in_progress',
  'idempotency_key_mismatch',
  'idempotency_unavailable',
  'response_too_large',
  'quota_exceeded',
  'internal_error',
]);

type Options = {
  readonly errors?: readonly DeclaredError[];
  readonly access?: Access;
};

const codeOf = (declared: DeclaredError): ErrorCode =>
  typeof declared === 'string' ? declared : declared[0];

/** Returns the additional error codes for a root field, in the order of the error table. */
function codesFrom({ errors = [], access = { anonymous: true } }: Options): ErrorCode[] {
  const isSandboxOnly = 'environment' in access && access.environment === 'sandbox';
  const requiresProof = 'proof' in access && access.proof === true;
  const declared = [
    ...errors.map(codeOf),
    ...(isSandboxOnly ? ['sandbox_only'] : []),
    ...(requiresProof ? ['reauthentication_required'] : []),
  ];
  const known = Object.keys(errorCodes) as ErrorCode[];
  return known.filter((code) => declared.includes(code) && !generalErrors.has(code));
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** Appends a root field's error codes to its description: one sentence for each code with a condition, then one sentence for all other codes. */
function described(
  description: string | null | undefined,
  codes: readonly ErrorCode[],
  errors: readonly DeclaredError[] = [],
): string {
  const conditions = new Map(errors.filter((declared) => typeof declared !== 'string'));
  const text = description ?? '';
  const plain = codes
    .map((code) => `\`${code}\``)
    .filter(
      (code, index) => !conditions.has(codes[index] as ErrorCode) && !text.includes(`ails with ${code}`),
    );
  const conditional = [...conditions].map(([code, condition]) => `Fails with \`${code}\` if ${condition}.`);
  const isFurther = conditional.length > 0 || /\bfails with\b/i.test(text);
  const rest = `Can ${isFurther ? 'also ' : ''}fail with ${alternatives.format(plain)}.`;
  const sentences = [...conditional, ...(plain.length === 0 ? [] : [rest])].join(' ');
  return [text, sentences].filter(Boolean).join('\n\n');
}

/** Pothos plugin that adds the declared errors to a root field's description and its directive `@errors(codes:)`. */
class FieldErrorsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const options = field.pothosOptions as Options;
    const codes = codesFrom(options);
    if (codes.length === 0) return field;
    const description = described(field.description, codes, options.errors);
    return withDirective({ ...field, description }, 'errors', { codes });
  }
}

SchemaBuilder.registerPlugin('errors', FieldErrorsPlugin);

export const errorsOf = (field: GraphQLField<unknown, unknown>): readonly ErrorCode[] =>
  (directiveOn(field, 'errors')?.['codes'] ?? []) as readonly ErrorCode[];

export const ErrorCodeType = new GraphQLEnumType({
  name: 'ErrorCode',
  description:
    'Error code, sent as `extensions.code` of an error. Codes may be added; existing codes are never renamed.',
  values: Object.fromEntries(
    Object.entries(errorCodes).map(([code, { meaning }]) => [code, { description: meaning }]),
  ),
});

export const errorsDirective = new GraphQLDirective({
  name: 'errors',
  description: `Error codes that a field can return in addition to the codes of every field: ${[...generalErrors].map((code) => `\`${code}\``).join(', ')}.`,
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    codes: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(ErrorCodeType))),
      description: 'Error codes in the order of the enum.',
    },
  },
});

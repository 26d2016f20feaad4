import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isOutputType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import type { ObjectType, PayloadField } from '../domain/events/payloads/fields.ts';
import { maxMetadataKeys } from '../domain/text/json.ts';
import { scaleOf } from '../graphql/declare/amount.ts';
import { storedValues } from '../graphql/declare/enum-spelling.ts';
import type { RestView } from '../graphql/declare/rest.ts';
import { type Forms, formsOf, type Rule, ruleOf } from '../graphql/declare/rules.ts';
import { described, type JsonSchema } from './json-schema.ts';

const scalars: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  SafeInt: { type: 'integer', format: 'int64' },
  Decimal: { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
  Json: { type: 'object', additionalProperties: true },
  TextMap: { type: 'object', additionalProperties: { type: 'string' } },
  CountMap: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
  LimitAmount: {
    anyOf: [
      { type: 'integer', format: 'int64', minimum: 0 },
      { type: 'object', additionalProperties: true },
    ],
  },
  BalanceMap: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { current: { type: 'integer' }, asOf: { type: 'string', format: 'date-time' } },
      required: ['current', 'asOf'],
    },
  },
};

/**
 * Returns the schema of a scalar or enum. Custom scalars that aren't listed here are strings with a fixed set of values, which the description
 * contains.
 */
function leafSchema(type: GraphQLOutputType | GraphQLInputType): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: storedValues(type) };
  const named = type as { name: string; description?: string | null };
  return { ...(scalars[named.name] ?? { type: 'string', description: named.description ?? '' }) };
}

/** Returns the limits for free-form objects in inputs (PLT-20b). */
const freeFormLimits = (type: GraphQLInputType): JsonSchema =>
  'name' in type && (type.name === 'Json' || type.name === 'TextMap')
    ? { maxProperties: maxMetadataKeys }
    : {};

/** Allows JSON numbers in inputs of exact decimals. */
const numberOrText = (type: GraphQLInputType): JsonSchema =>
  'name' in type && type.name === 'Decimal' ? { type: ['string', 'number'] } : {};

const orNull = (schema: JsonSchema): JsonSchema =>
  typeof schema['type'] === 'string' && schema['enum'] === undefined && schema['const'] === undefined
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

/** Adds a monetary amount's scale to its schema as `x-scale` (GLO-14). */
function scaled(schema: JsonSchema, definition: { readonly extensions?: unknown }): JsonSchema {
  const scale = scaleOf(definition);
  return scale === undefined ? schema : { ...schema, 'x-scale': scale.toLowerCase() };
}

/** Returns the constant value of a field other than `null`. The description of such a field starts with "Always", for example "Always `customer`." */
const constantOf = (description: string | null | undefined): string | undefined =>
  /^Always `(?!null`)([^`]+)`/.exec(description ?? '')?.[1];

const constant = (schema: JsonSchema, value: string): JsonSchema =>
  schema['type'] === 'boolean'
    ? { type: 'boolean', const: value === 'true' }
    : { type: 'string', const: value };

const countries = '^[A-Z]{2}$';

/** Converts the bounds of a validation rule to JSON Schema keywords. List bounds apply to the list; all other bounds apply to its items. */
function ruleKeywords(rule: Rule, isList: boolean): JsonSchema {
  const { minLength, maxLength, pattern, notIn, format, minimum, exclusiveMinimum, maximum } = rule;
  const { minItems, maxItems } = rule;
  const keywords = isList
    ? { minItems, maxItems }
    : {
        minLength,
        maxLength,
        pattern: format === 'country' ? countries : pattern?.source,
        not: notIn === undefined ? undefined : { enum: notIn },
        format: format === 'country' ? undefined : format,
        minimum,
        exclusiveMinimum,
        maximum,
      };
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}

/** Generates the schemas of a document. Named types are collected in `components`. */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};
  readonly #schema: GraphQLSchema;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Returns the schema for an input, including its validation rule. Input objects become components named after their GraphQL type. */
  input(definition: {
    type: GraphQLInputType;
    extensions: object;
    description?: string | null | undefined;
  }): JsonSchema {
    const rule = ruleOf(definition as Parameters<typeof ruleOf>[0]);
    const schema = this.#inputType(definition.type, rule);
    const nullable = rule.nullable === true ? orNull(schema) : schema;
    const complete = rule.default === undefined ? nullable : { ...nullable, default: rule.default };
    return described(scaled(complete, definition), definition.description);
  }

  #inputType(wrapped: GraphQLInputType, rule: Rule): JsonSchema {
    const type = getNullableType(wrapped);
    if (isListType(type))
      return { type: 'array', items: this.#inputType(type.ofType, rule), ...ruleKeywords(rule, true) };
    return isInputObjectType(type)
      ? this.#inputObject(type)
      : {
          ...leafSchema(type),
          ...numberOrText(type),
          ...freeFormLimits(type),
          ...ruleKeywords(rule, false),
        };
  }

  #inputObject(type: GraphQLInputObjectType): JsonSchema {
    if (this.components[type.name] === undefined) {
      // The component is registered before its properties, so that recursive types terminate.
      this.components[type.name] = {};
      const members = Object.values(type.getFields())
        .filter((member) => ruleOf(member).graphqlOnly !== true)
        .map((member) => ({
          name: member.name,
          schema: this.input(member),
          isRequired: isNonNullType(member.type) && member.defaultValue === undefined,
        }));
      const forms = formsOf(type);
      this.components[type.name] =
        forms === undefined
          ? objectOf(members, type.description)
          : alternatives(forms, members, type.description);
    }
    return { $ref: `#/components/schemas/${type.name}` };
  }

  /** Returns the schema for a REST view as a component. */
  view(view: RestView): JsonSchema {
    if (this.components[view.name] === undefined) {
      const type = this.#schema.getType(view.type);
      const [definition] = parse(`{ ${view.fields} }`).definitions;
      if (!isCompositeType(type) || definition?.kind !== Kind.OPERATION_DEFINITION)
        throw new Error(`The view ${view.name} has no type of fields.`);
      const shown = this.#selection(type, definition.selectionSet, view.absentWhenUnset, '');
      this.components[view.name] = view.spread === null ? shown : spreadSchema(shown, view.spread);
    }
    return { $ref: `#/components/schemas/${view.name}` };
  }

  /** Returns the schema for the payload of an event, or for an object in a payload, as a component. */
  payload({ name, description, fields }: ObjectType): JsonSchema {
    this.components[name] ??= objectOf(
      Object.entries(fields).map(([member, field]) => ({
        name: member,
        schema: this.#payloadField(field),
        isRequired: !field.isOptional,
      })),
      description,
    );
    return { $ref: `#/components/schemas/${name}` };
  }

  #payloadField({ type, isList, isNullable, description, scale }: PayloadField): JsonSchema {
    const leaf = typeof type === 'string' ? this.#schema.getType(type) : null;
    if (typeof type === 'string' && !isOutputType(leaf))
      throw new Error(`The schema has no type ${type}, which a payload contains.`);
    const single = typeof type === 'string' ? leafSchema(leaf as GraphQLOutputType) : this.payload(type);
    const complete = isList ? { type: 'array', items: single } : single;
    const shown = isNullable ? orNull(complete) : complete;
    return described(scale === undefined ? shown : { ...shown, 'x-scale': scale.toLowerCase() }, description);
  }

  /** Returns the schema for a selection: a single object, or alternatives for a union. */
  #selection(
    type: GraphQLCompositeType,
    selection: SelectionSetNode,
    absent: readonly string[],
    path: string,
  ): JsonSchema {
    const fragments = selection.selections.filter((part) => part.kind === Kind.INLINE_FRAGMENT);
    const common = selection.selections.filter((part) => part.kind === Kind.FIELD);
    if (fragments.length === 0) return this.#object(type, common, absent, path);
    return {
      oneOf: fragments.map((fragment) => {
        const variant = this.#schema.getType(fragment.typeCondition?.name.value ?? type.name);
        if (!isCompositeType(variant)) throw new Error(`A fragment on ${type.name} names no type of fields.`);
        const parts = {
          ...fragment.selectionSet,
          selections: [...common, ...fragment.selectionSet.selections],
        };
        return this.#selection(variant, parts, absent, path);
      }),
    };
  }

  #object(
    type: GraphQLCompositeType,
    parts: readonly FieldNode[],
    absent: readonly string[],
    path: string,
  ): JsonSchema {
    const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
    return objectOf(
      parts.map((part) => {
        const field = fields[part.name.value];
        if (field === undefined) throw new Error(`${type.name} has no field ${part.name.value}.`);
        const name = part.alias?.value ?? part.name.value;
        const at = path === '' ? name : `${path}.${name}`;
        const isAbsent = absent.includes(at);
        const schema = this.#output(field.type, part.selectionSet, absent, at);
        const fixed = constantOf(field.description);
        const shown = fixed === undefined ? schema : constant(schema, fixed);
        const complete = isNonNullType(field.type) || isAbsent ? shown : orNull(shown);
        return { name, schema: described(scaled(complete, field), field.description), isRequired: !isAbsent };
      }),
      type.description,
    );
  }

  #output(
    wrapped: GraphQLOutputType,
    selection: SelectionSetNode | undefined,
    absent: readonly string[],
    path: string,
  ): JsonSchema {
    const type = getNullableType(wrapped);
    if (isListType(type)) return { type: 'array', items: this.#output(type.ofType, selection, absent, path) };
    return isCompositeType(type) && selection !== undefined
      ? this.#selection(type, selection, absent, path)
      : leafSchema(type);
  }
}

/** Replaces a property of an object with any number of properties that the property's schema allows. */
function spreadSchema(schema: JsonSchema, name: string): JsonSchema {
  const { [name]: members, ...properties } = schema['properties'] as Record<string, JsonSchema>;
  const required = (schema['required'] as readonly string[]).filter((one) => one !== name);
  return { ...schema, properties, required, additionalProperties: members?.['additionalProperties'] ?? true };
}

type Member = { readonly name: string; readonly schema: JsonSchema; readonly isRequired: boolean };

/** Returns an object schema with exactly these properties. */
export function objectOf(members: readonly Member[], description?: string | null): JsonSchema {
  const required = members.filter((member) => member.isRequired).map((member) => member.name);
  return described(
    {
      type: 'object',
      properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    description,
  );
}

/** Returns a `oneOf` schema with one object per form. */
const alternatives = (
  forms: Forms,
  members: readonly Member[],
  description: string | null | undefined,
): JsonSchema =>
  described(
    {
      oneOf: Object.entries(forms.members).map(([form, { required, optional = [] }]) =>
        objectOf([
          { name: forms.by, schema: { type: 'string', const: form }, isRequired: true },
          ...members.flatMap((member) => {
            const isRequired = required.includes(member.name);
            return isRequired || optional.includes(member.name) ? [{ ...member, isRequired }] : [];
          }),
        ]),
      ),
    },
    description,
  );

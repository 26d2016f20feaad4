import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type PothosTypeConfig,
  type SchemaTypes,
} from '@pothos/core';
import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLFieldResolver,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { countryViolation } from '../domain/countries.ts';
import { QuittanceError } from '../domain/errors.ts';
import { webAddressViolation } from '../domain/web-addresses.ts';
import { valueViolation } from './leaf-values.ts';
import { lineViolation, storageViolation } from './scalars.ts';

/** Shape rules of one input field; bounds are inclusive unless the name says otherwise. */
export type Rule = {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  readonly format?: 'email' | 'uri' | 'country';
  /** A text of several lines: line breaks and tabs are taken. Every other text with a rule is one line. */
  readonly multiline?: true;
  /** An address that may hold a user name and a password. */
  readonly credentials?: true;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Null is a value of its own here; elsewhere an optional field may be left out but not be null. */
  readonly nullable?: true;
  /** The REST default, shown in OpenAPI. */
  readonly default?: unknown;
  /** An input that only GraphQL knows: REST rejects it as an unknown field and OpenAPI leaves it out. */
  readonly graphqlOnly?: true;
};

/**
 * The forms an input object can have, chosen by its member `by`: for each the members it needs and those it may have. Members that belong to
 * other forms are rejected. OpenAPI shows an alternative per form.
 */
export type Forms = {
  readonly by: string;
  readonly members: Readonly<
    Record<string, { readonly required: readonly string[]; readonly optional?: readonly string[] }>
  >;
};

/** One violation: the caller's dotted path and what is wrong with it. */
export type Issue = { readonly field: string; readonly message: string };

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      rules: RulesPlugin<Types>;
    }
    interface InputFieldOptions {
      rule?: Rule;
    }
    interface InputObjectTypeOptions {
      forms?: Forms;
    }
  }
}

type Input = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'extensions' | 'defaultValue'>;

const noRule: Rule = {};

/** The shape rules of an argument or input field of the built schema. */
export const ruleOf = (input: Pick<Input, 'extensions'>): Rule =>
  (input.extensions as { rule?: Rule }).rule ?? noRule;

/** The forms of an input object of the built schema; undefined where it has only one. */
export const formsOf = (type: { readonly extensions: object }): Forms | undefined =>
  (type.extensions as { forms?: Forms }).forms;

const emailPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

// A character is one or two units of a text's length, so that characters are seldom counted.
const isShorter = (text: string, least: number): boolean =>
  text.length < 2 * least && (text.length < least || [...text].length < least);
const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);

function textViolation(text: string, rule: Rule): string | null {
  if (rule.minLength !== undefined && isShorter(text, rule.minLength))
    return `must have at least ${rule.minLength} character${rule.minLength === 1 ? '' : 's'}`;
  if (rule.maxLength !== undefined && isLonger(text, rule.maxLength))
    return `must have at most ${rule.maxLength} characters`;
  if (rule.pattern !== undefined && !rule.pattern.test(text)) return `must match ${rule.pattern.source}`;
  if (rule.format === 'email' && !emailPattern.test(text)) return 'must be an e-mail address';
  if (rule.format === 'country') return countryViolation(text);
  // A text without a rule is held to what can be stored only: the members of batch items, each checked against its own rules by the operation that takes the batch.
  const stored = rule === noRule ? storageViolation(text) : lineViolation(text, rule.multiline);
  return stored ?? (rule.format === 'uri' ? webAddressViolation(text, rule.credentials) : null);
}

function numberViolation(value: number, rule: Rule): string | null {
  if (rule.minimum !== undefined && value < rule.minimum) return `must be at least ${rule.minimum}`;
  if (rule.exclusiveMinimum !== undefined && value <= rule.exclusiveMinimum)
    return `must be greater than ${rule.exclusiveMinimum}`;
  return rule.maximum !== undefined && value > rule.maximum ? `must be at most ${rule.maximum}` : null;
}

function listViolation(values: readonly unknown[], rule: Rule): string | null {
  if (rule.minItems !== undefined && values.length < rule.minItems)
    return `must have at least ${rule.minItems} item${rule.minItems === 1 ? '' : 's'}`;
  return rule.maxItems !== undefined && values.length > rule.maxItems
    ? `must have at most ${rule.maxItems} items`
    : null;
}

/**
 * Whether values still are as a client sent them, over REST or as variables of GraphQL (types are checked too), or were coerced by GraphQL already
 * (rules only). For GraphQL null counts as absent, and one value as a list of it.
 */
type Stage = 'raw' | 'variables' | 'coerced';

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Checks one value of a known type and rule, adding every violation to `issues`. */
type Check = (value: unknown, path: string, stage: Stage, issues: Issue[]) => void;

function listCheck(itemType: GraphQLInputType, rule: Rule): Check {
  const isFull = isNonNullType(itemType);
  const check = checkOf(itemType, isListType(itemType) ? noRule : rule);
  return (value, path, stage, issues) => {
    if (!Array.isArray(value))
      return stage === 'variables'
        ? check(value, path, stage, issues)
        : void issues.push({ field: path, message: 'must be a list' });
    const violation = listViolation(value, rule);
    if (violation !== null) issues.push({ field: path, message: violation });
    for (const [index, item] of value.entries()) {
      if (item === null && isFull) issues.push({ field: `${path}.${index}`, message: 'must not be null' });
      else check(item, `${path}.${index}`, stage, issues);
    }
  };
}

const objectCheck =
  (type: GraphQLInputObjectType): Check =>
  (value, path, stage, issues) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return void issues.push({ field: path, message: 'must be an object' });
    const members = value as Record<string, unknown>;
    checkMembers(type, members, path, stage, issues);
    checkForm(type, members, path, stage, issues);
  };

/** What is wrong with a value as its type reads it. An id is a text, though GraphQL's clients may send a whole number. */
const typeViolation = (type: GraphQLScalarType | GraphQLEnumType, value: unknown, stage: Stage) =>
  stage === 'raw' && type.name === 'ID' && typeof value !== 'string'
    ? 'must be a string'
    : valueViolation(type, value);

const leafCheck =
  (type: GraphQLScalarType | GraphQLEnumType, rule: Rule): Check =>
  (value, path, stage, issues) => {
    const misread = stage === 'coerced' ? null : typeViolation(type, value, stage);
    // The bounds of a rule are narrower than those of the type, and say more.
    const violation =
      typeof value === 'number'
        ? (numberViolation(value, rule) ?? misread)
        : (misread ?? (typeof value === 'string' ? textViolation(value, rule) : null));
    if (violation !== null) issues.push({ field: path, message: violation });
  };

/** What a type is, and what it holds, is found out once: the checks of an input are the same for every request. */
function checkOf(type: GraphQLInputType, rule: Rule): Check {
  if (isNonNullType(type)) return checkOf(type.ofType, rule);
  if (isListType(type)) return listCheck(type.ofType, rule);
  return isInputObjectType(type) ? objectCheck(type) : leafCheck(type, rule);
}

/** Checks that an object has what its form needs and nothing of other forms. A null a GraphQL client sends counts as absent unless null is a value. */
function checkForm(
  type: GraphQLInputObjectType,
  values: Record<string, unknown>,
  path: string,
  stage: Stage,
  issues: Issue[],
): void {
  const forms = formsOf(type);
  const form = forms === undefined ? undefined : String(values[forms.by]);
  // What a caller sent is looked up among the forms alone, not among what every object has.
  const taken =
    forms !== undefined && form !== undefined && Object.hasOwn(forms.members, form)
      ? forms.members[form]
      : undefined;
  if (forms === undefined || taken === undefined) return;
  for (const member of Object.values(type.getFields())) {
    const { name } = member;
    const value = values[name];
    const isAbsent =
      value === undefined || (value === null && stage !== 'raw' && ruleOf(member).nullable !== true);
    if (isAbsent && taken.required.includes(name))
      issues.push({ field: join(path, name), message: 'is required' });
    const belongs =
      name === forms.by || taken.required.includes(name) || taken.optional?.includes(name) === true;
    if (!belongs && (stage === 'raw' ? value !== undefined : !(value === undefined || value === null)))
      issues.push({ field: join(path, name), message: `does not belong to ${form}` });
  }
}

/** A declared input, ready to be checked. */
type Member = {
  readonly name: string;
  readonly rule: Rule;
  readonly isFull: boolean;
  readonly isNeeded: boolean;
  readonly check: Check;
};

function memberOf(input: Input): Member {
  const { name, type, defaultValue } = input;
  const rule = ruleOf(input);
  const isFull = isNonNullType(type);
  return { name, rule, isFull, isNeeded: isFull && defaultValue === undefined, check: checkOf(type, rule) };
}

const prepared = new WeakMap<object, readonly Member[]>();

/** The members of what declares them, prepared on first use. */
function preparedFor(owner: object, inputs: () => readonly Input[]): readonly Member[] {
  const known = prepared.get(owner);
  if (known !== undefined) return known;
  const made = inputs().map(memberOf);
  prepared.set(owner, made);
  return made;
}

function checkEach(
  members: readonly Member[],
  values: Readonly<Record<string, unknown>>,
  path: string,
  stage: Stage,
  issues: Issue[],
): void {
  for (const name of Object.keys(values)) {
    // A few names are compared sooner than a set of them is made, and batches have many objects.
    if (!members.some((member) => member.name === name))
      issues.push({ field: join(path, name), message: 'is not known here' });
  }
  for (const { name, rule, isFull, isNeeded, check } of members) {
    const value = values[name];
    if (value === undefined) {
      if (isNeeded) issues.push({ field: join(path, name), message: 'is required' });
    } else if (value === null) {
      // GraphQL clients send null for a variable they leave unset; there it counts as absent.
      const isRejected = stage === 'variables' ? isFull : stage === 'raw' && rule.nullable !== true;
      if (isRejected)
        issues.push({ field: join(path, name), message: isFull ? 'is required' : 'must not be null' });
    } else check(value, join(path, name), stage, issues);
  }
}

/** Checks the members of an object against declared inputs, which are always the same list: unknown names, missing ones, nulls, types (raw stage) and rules. */
export const checkFields = (
  inputs: readonly Input[],
  values: Readonly<Record<string, unknown>>,
  path: string,
  stage: Stage,
  issues: Issue[],
): void =>
  checkEach(
    preparedFor(inputs, () => inputs),
    values,
    path,
    stage,
    issues,
  );

/** The same against the members of an input type. */
export const checkMembers = (
  type: GraphQLInputObjectType,
  values: Readonly<Record<string, unknown>>,
  path: string,
  stage: Stage,
  issues: Issue[],
): void =>
  checkEach(
    preparedFor(type, () => Object.values(type.getFields())),
    values,
    path,
    stage,
    issues,
  );

/** Throws `validation_error` with every issue when there is one; `param` names the first. */
export function throwIssues(issues: readonly Issue[]): void {
  const [first] = issues;
  if (first === undefined) return;
  throw new QuittanceError('validation_error', `${first.field}: ${first.message}.`, {
    param: first.field,
    details: issues,
  });
}

/** The issues of one field's arguments without the name of its input object, which REST callers do not see. */
export const withoutInputName = (issues: readonly Issue[]): Issue[] =>
  issues.map(({ field, message }) => ({ field: field.replace(/^input\.(?=.)/, ''), message }));

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Keeps `rule` options in the schema and applies them to the arguments of every field that has some, over REST and GraphQL alike. */
export class RulesPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onInputFieldConfig(field: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> {
    const { rule } = field.pothosOptions as { rule?: Rule };
    return rule === undefined ? field : { ...field, extensions: { ...field.extensions, rule } };
  }

  override onTypeConfig(type: PothosTypeConfig): PothosTypeConfig {
    const { forms } = type.pothosOptions as { forms?: Forms };
    return forms === undefined ? type : { ...type, extensions: { ...type.extensions, forms } };
  }

  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const hasArguments = Object.keys(field.args).length > 0;
    return hasArguments && field.kind !== 'Subscription' ? checked(resolver) : resolver;
  }

  override wrapSubscribe(subscriber: Resolver<Types> | undefined): Resolver<Types> | undefined {
    return subscriber === undefined ? undefined : checked(subscriber);
  }
}

/** Checks the coerced arguments of a field. Throws `validation_error` with every issue. */
export function checkArguments(definitions: readonly GraphQLArgument[], args: object): void {
  const issues: Issue[] = [];
  checkFields(definitions, { ...args }, '', 'coerced', issues);
  throwIssues(withoutInputName(issues));
}

function checked<Types extends SchemaTypes>(resolver: Resolver<Types>): Resolver<Types> {
  return (parent, args, ctx, info) => {
    checkArguments(info.parentType.getFields()[info.fieldName]?.args ?? [], args);
    return resolver(parent, args, ctx, info);
  };
}

SchemaBuilder.registerPlugin('rules', RulesPlugin);

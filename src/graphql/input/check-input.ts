import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { formsOf, type Input, type Issue, isChange, noRule, type Rule, ruleOf } from '../declare/rules.ts';
import { restViolation, valueViolation } from './leaf-values.ts';
import { listViolation, numberViolation, textViolation } from './rule-violations.ts';

// Validates inputs against their types and rules, before and after GraphQL coercion.

/**
 * State of the values to check. `raw` values from REST and `variables` from GraphQL are checked against types and rules; `coerced` values are checked
 * only against rules. GraphQL treats `null` as missing except in changes, and a single value as a list with one item.
 */
type Stage = 'raw' | 'variables' | 'coerced';

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Check of a value with a name in the object at `path`. The path of the value is needed only for issues and nested values. */
type Check = (value: unknown, path: string, name: string, stage: Stage, issues: Issue[]) => void;

function listCheck(itemType: GraphQLInputType, rule: Rule): Check {
  const isFull = isNonNullType(itemType);
  const check = checkOf(itemType, isListType(itemType) ? noRule : rule);
  return (value, path, name, stage, issues) => {
    if (!Array.isArray(value))
      return stage === 'variables'
        ? check(value, path, name, stage, issues)
        : void issues.push({ field: join(path, name), message: 'must be a list' });
    const list = join(path, name);
    const violation = listViolation(value, rule);
    if (violation !== null) issues.push({ field: list, message: violation });
    for (const [index, item] of value.entries()) {
      if (item === null && isFull) issues.push({ field: `${list}.${index}`, message: 'must not be null' });
      else check(item, list, String(index), stage, issues);
    }
  };
}

/** Returns the issues with a one-of input, which must have exactly one field with a value other than `null`. */
export function oneOfIssues(
  type: GraphQLInputObjectType,
  sent: readonly (readonly [name: string, value: unknown])[],
  path: string,
): Issue[] {
  const [only, ...others] = sent.filter(([, value]) => value !== undefined);
  if (only === undefined || others.length > 0)
    return [{ field: path, message: `must have exactly one of ${Object.keys(type.getFields()).join(', ')}` }];
  return only[1] === null ? [{ field: join(path, only[0]), message: 'must not be null' }] : [];
}

const objectCheck =
  (type: GraphQLInputObjectType): Check =>
  (value, path, name, stage, issues) => {
    const object = join(path, name);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return void issues.push({ field: object, message: 'must be an object' });
    const members = value as Record<string, unknown>;
    checkMembers(type, members, object, stage, issues);
    checkForm(type, members, object, stage, issues);
    if (type.isOneOf) issues.push(...oneOfIssues(type, Object.entries(members), object));
  };

const misreadAt: Readonly<Record<Stage, typeof valueViolation>> = {
  raw: restViolation,
  variables: valueViolation,
  coerced: () => null,
};

const integers: ReadonlySet<string> = new Set(['Int', 'SafeInt']);

/** Returns the message for a value that isn't a whole number, with the bounds of the rule. `null` unless the rule bounds whole numbers. */
const boundsText = (
  { name }: GraphQLScalarType | GraphQLEnumType,
  { minimum, maximum }: Rule,
): string | null =>
  integers.has(name) && minimum !== undefined && maximum !== undefined
    ? `must be a whole number between ${minimum} and ${maximum}`
    : null;

const leafCheck =
  (type: GraphQLScalarType | GraphQLEnumType, rule: Rule, bounds = boundsText(type, rule)): Check =>
  (value, path, name, stage, issues) => {
    const found = misreadAt[stage](type, value);
    const misread = found === null ? null : (bounds ?? found);
    // For numbers, prefers the message of the rule, because the rule's bounds are tighter than the bounds of the type.
    const violation =
      typeof value === 'number'
        ? (numberViolation(value, rule) ?? misread)
        : (misread ?? (typeof value === 'string' ? textViolation(value, rule) : null));
    if (violation !== null) issues.push({ field: join(path, name), message: violation });
  };

function checkOf(type: GraphQLInputType, rule: Rule): Check {
  if (isNonNullType(type)) return checkOf(type.ofType, rule);
  if (isListType(type)) return listCheck(type.ofType, rule);
  return isInputObjectType(type) ? objectCheck(type) : leafCheck(type, rule);
}

/**
 * Checks that an object has only fields of its form, including all required fields. From GraphQL clients, `null` is
 * treated as missing unless the rule allows it.
 */
function checkForm(
  type: GraphQLInputObjectType,
  values: Record<string, unknown>,
  path: string,
  stage: Stage,
  issues: Issue[],
): void {
  const forms = formsOf(type);
  const form = forms === undefined ? undefined : String(values[forms.by]);
  // Uses `Object.hasOwn` to exclude inherited properties such as `constructor`.
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
    const isAllowed =
      name === forms.by || taken.required.includes(name) || taken.optional?.includes(name) === true;
    if (!isAllowed && (stage === 'raw' ? value !== undefined : !(value === undefined || value === null)))
      issues.push({ field: join(path, name), message: `isn't allowed if ${forms.by} is ${form}` });
  }
}

/** Input with the check that was prepared for it. */
type Member = {
  readonly name: string;
  readonly rule: Rule;
  readonly isFull: boolean;
  readonly isNeeded: boolean;
  /** True if `null` is rejected in raw values, in variables, and in coerced values. */
  readonly neverNull: boolean;
  readonly check: Check;
};

function memberOf(input: Input, inChange: boolean): Member {
  const { name, type, defaultValue } = input;
  const rule = ruleOf(input);
  const isFull = isNonNullType(type);
  return {
    name,
    rule,
    isFull,
    isNeeded: isFull && defaultValue === undefined,
    neverNull: inChange && rule.nullable !== true,
    check: checkOf(type, rule),
  };
}

const prepared = new WeakMap<object, readonly Member[]>();

/** Returns the prepared checks for an owner's inputs. The checks are created on first use. */
function preparedFor(owner: object, inputs: () => readonly Input[], inChange = false): readonly Member[] {
  const known = prepared.get(owner);
  if (known !== undefined) return known;
  const made = inputs().map((input) => memberOf(input, inChange));
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
    // A loop is faster here than a set or a function call, because each object has few fields and a batch contains many objects.
    let isKnown = false;
    for (let index = 0; index < members.length && !isKnown; index++) isKnown = members[index]?.name === name;
    if (!isKnown) issues.push({ field: join(path, name), message: "isn't a supported field" });
  }
  for (const { name, rule, isFull, isNeeded, neverNull, check } of members) {
    const value = values[name];
    if (value === undefined) {
      if (isNeeded) issues.push({ field: join(path, name), message: 'is required' });
    } else if (value === null) {
      // GraphQL clients send `null` for unset variables, so `null` counts as a value only in changes.
      const isRejected =
        neverNull || (stage === 'variables' ? isFull : stage === 'raw' && rule.nullable !== true);
      if (isRejected)
        issues.push({ field: join(path, name), message: isFull ? 'is required' : 'must not be null' });
    } else check(value, path, name, stage, issues);
  }
}

/**
 * Checks the fields of an object against the declared inputs. Detects unknown and missing fields, `null` values, and
 * violations of types and rules. Checks are cached by the identity of the list `inputs`, so always pass the same list.
 */
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

/** Checks the fields of an object against an input type. */
export const checkMembers = (
  type: GraphQLInputObjectType,
  values: Readonly<Record<string, unknown>>,
  path: string,
  stage: Stage,
  issues: Issue[],
): void =>
  checkEach(
    preparedFor(type, () => Object.values(type.getFields()), isChange(type)),
    values,
    path,
    stage,
    issues,
  );

import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { restViolation, valueViolation } from './leaf-values.ts';
import { listViolation, numberViolation, textViolation } from './rule-violations.ts';
import { formsOf, type Input, type Issue, noRule, type Rule, ruleOf } from './rules.ts';

// Checks inputs against their types and rules, before and after GraphQL coerces them.

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

/** What is wrong with the members sent of an object that takes exactly one: their number, or that the only one is null. */
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
  (value, path, stage, issues) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return void issues.push({ field: path, message: 'must be an object' });
    const members = value as Record<string, unknown>;
    checkMembers(type, members, path, stage, issues);
    checkForm(type, members, path, stage, issues);
    if (type.isOneOf) issues.push(...oneOfIssues(type, Object.entries(members), path));
  };

const misreadAt: Readonly<Record<Stage, typeof valueViolation>> = {
  raw: restViolation,
  variables: valueViolation,
  coerced: () => null,
};

const leafCheck =
  (type: GraphQLScalarType | GraphQLEnumType, rule: Rule): Check =>
  (value, path, stage, issues) => {
    const misread = misreadAt[stage](type, value);
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

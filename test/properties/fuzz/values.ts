import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { countryCodes } from '../../../src/domain/tax/countries.ts';
import { formsOf, type Rule, ruleOf } from '../../../src/graphql/declare/rules.ts';
import type { Random } from '../../support/random.ts';
import { numbers, others, texts } from './hostile.ts';
import type { Pool } from './pool.ts';

/** Source of generated values: the pool of IDs, the root field, and the percentage of hostile values. */
export type Making = {
  readonly random: Random;
  readonly pool: Pool;
  readonly field: string;
  readonly hostility: number;
};

type Declared = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'extensions'>;

const chance = ({ random }: Making, percent: number): boolean => random.below(100) < percent;

/** Values that together match most patterns in the schema. */
const candidates = [
  'usd',
  'US',
  'feature_1',
  'PRO10',
  '123456',
  '2026-08-27',
  '#7c3aed',
  'pm_card_visa',
  '+1 555 0100',
  'https://127.0.0.1:9/logo.png',
];

function wordOf({ random }: Making, name: string): string {
  if (/currency/i.test(name)) return random.pick(['usd', 'eur', 'jpy', 'inr']);
  if (name === 'code') return `code_${random.below(1_000_000)}`;
  return random.pick(['Pro', 'Ada Lovelace', 'none', `name ${random.below(1_000_000)}`, 'Zażółć 🧾']);
}

function textOf(making: Making, name: string, rule: Rule): string {
  const { random, pool, field } = making;
  if (rule.format === 'country') return random.pick(countryCodes);
  if (rule.format === 'email') return `p${random.below(1_000_000)}@example.com`;
  if (rule.format === 'uri') return `http://127.0.0.1:9/${random.below(1_000)}`;
  const learned = chance(making, 85) ? pool.valueFor(random, field, name) : null;
  if (learned !== null) return learned;
  const { pattern } = rule;
  const text =
    pattern === undefined
      ? wordOf(making, name)
      : random.pick([...candidates.filter((one) => pattern.test(one)), 'x1']);
  return text.padEnd(rule.minLength ?? 0, 'x').slice(0, rule.maxLength ?? 1_000);
}

function numberOf({ random }: Making, { minimum, exclusiveMinimum, maximum }: Rule): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  const most = Math.min(maximum ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  return random.pick([
    least,
    Math.min(most, least + random.below(20)),
    Math.min(most, least + random.below(5_000)),
    most,
  ]);
}

const dayMs = 86_400_000;

function leafOf(making: Making, type: GraphQLLeafType, name: string, rule: Rule): unknown {
  const { random } = making;
  if (isEnumType(type)) {
    const { name, value } = random.pick(type.getValues());
    // GraphQL expects the name of an enum value, whereas REST expects the stored value. The two are usually equal.
    return random.pick([name, value]);
  }
  switch (type.name) {
    case 'Boolean':
      return random.below(2) === 0;
    case 'SafeInt':
    case 'Int':
      return numberOf(making, rule);
    case 'Float':
      return numberOf(making, rule) + random.pick([0, 0.5, 0.001]);
    case 'Decimal':
      return random.pick(['0', '0.20', '1', '12.345', 7, 0.5]);
    case 'Date':
      return new Date(Date.now() + (random.below(800) - 400) * dayMs).toISOString().slice(0, 10);
    case 'DateTime':
      return new Date(Date.now() + (random.below(800) - 400) * dayMs).toISOString();
    case 'Json':
      return { source: 'fuzz', list: [1, { deep: null }] };
    case 'TextMap':
      return { region: 'eu' };
    case 'CountMap':
      return { [making.pool.valueFor(random, making.field, 'featureCode') ?? 'seats']: random.below(5) };
    case 'Timezone':
      return random.pick(['UTC', 'America/New_York']);
    default:
      return textOf(making, name, rule);
  }
}

/** Returns a hostile value: a value of an unexpected type, or a value at or beyond the bounds of a type. */
function hostileValue({ random }: Making): unknown {
  return random.pick([
    () => random.pick(texts),
    () => random.pick(texts),
    () => random.pick(numbers),
    () => random.pick(others),
  ])();
}

/** Generates a value that the type and rule allow, or occasionally a hostile value. */
function madeOf(making: Making, type: GraphQLInputType, name: string, rule: Rule, depth: number): unknown {
  if (chance(making, making.hostility)) return hostileValue(making);
  const inner = getNullableType(type);
  if (isListType(inner)) {
    const count = Math.max(rule.minItems ?? 0, making.random.below(3));
    return Array.from({ length: count }, () => madeOf(making, inner.ofType, name, rule, depth + 1));
  }
  return isInputObjectType(inner) ? objectOf(making, inner, depth + 1) : leafOf(making, inner, name, rule);
}

/** Generates an input object. If its type has several forms, the fields match one of the forms. */
export function objectOf(making: Making, type: GraphQLInputObjectType, depth = 0): Record<string, unknown> {
  const members = Object.values(type.getFields());
  const forms = formsOf(type);
  const made = valuesOf(making, members, depth);
  if (forms === undefined || chance(making, making.hostility)) return made;
  const form = making.random.pick(Object.keys(forms.members));
  const { required = [], optional = [] } = forms.members[form] ?? {};
  for (const member of members) {
    const { name } = member;
    if (name === forms.by) made[name] = form;
    else if (required.includes(name)) made[name] ??= madeOf(making, member.type, name, ruleOf(member), depth);
    else if (!optional.includes(name)) delete made[name];
  }
  return made;
}

/** Generates values by name: for all required inputs and for some optional inputs. */
export function valuesOf(making: Making, inputs: readonly Declared[], depth = 0): Record<string, unknown> {
  // The object has no prototype, so that `__proto__` is an ordinary key.
  const values = Object.create(null) as Record<string, unknown>;
  for (const input of inputs) {
    const isWanted = isNonNullType(input.type)
      ? !chance(making, making.hostility / 2)
      : depth < 5 && chance(making, 30);
    if (isWanted) values[input.name] = madeOf(making, input.type, input.name, ruleOf(input), depth);
  }
  if (chance(making, making.hostility / 2)) values[making.random.pick(texts)] = hostileValue(making);
  return values;
}

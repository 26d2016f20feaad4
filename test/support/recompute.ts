import { expect } from 'vitest';
import { shopKeys } from './factories/shop.ts';
import type { TestApp } from './harness.ts';
import { expectLedgerBalanced } from './stories.ts';

// Recalculates invoices from their explanations without using product code.

/** Exact fraction with a positive denominator. */
type Fraction = readonly [numerator: bigint, denominator: bigint];

const fraction = (numerator: bigint, denominator: bigint): Fraction =>
  denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];

/** Rounds to the nearest integer. Halves are rounded away from zero. */
function rounded([numerator, denominator]: Fraction): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const whole = magnitude / denominator + (2n * (magnitude % denominator) >= denominator ? 1n : 0n);
  return numerator < 0n ? -whole : whole;
}

/** Evaluates an expression of names, integers, `+ - * /`, parentheses, `min(a, b)`, and `round(a)`. */
export function evaluate(expression: string, inputs: Readonly<Record<string, string>>): Fraction {
  const tokens = expression.match(/[a-z_]+|\d+|[-+*/(),]/g) ?? [];
  if (tokens.join('') !== expression.replaceAll(' ', ''))
    throw new Error(`The expression ${expression} is written in another way.`);
  let at = 0;
  const take = (token: string): boolean => tokens[at] === token && at++ >= 0;
  const must = (token: string): void => {
    if (!take(token)) throw new Error(`${expression} lacks ${token} at ${at}.`);
  };
  const inParentheses = (): Fraction => {
    must('(');
    const value = sum();
    must(')');
    return value;
  };
  const smaller = (): Fraction => {
    must('(');
    const a = sum();
    must(',');
    const b = sum();
    must(')');
    return a[0] * b[1] <= b[0] * a[1] ? a : b;
  };
  const named = (token: string): Fraction => {
    const value = inputs[token];
    if (value === undefined || !/^-?\d+$/.test(value)) throw new Error(`${expression} has no ${token}.`);
    return [BigInt(value), 1n];
  };
  const single = (): Fraction => {
    if (take('-')) {
      const [numerator, denominator] = single();
      return [-numerator, denominator];
    }
    if (tokens[at] === '(') return inParentheses();
    if (take('round')) return [rounded(inParentheses()), 1n];
    if (take('min')) return smaller();
    const token = tokens[at++] ?? '';
    return /^\d/.test(token) ? [BigInt(token), 1n] : named(token);
  };
  const product = (): Fraction => {
    let value = single();
    for (;;) {
      const isProduct = take('*');
      if (!isProduct && !take('/')) return value;
      const next = single();
      value = isProduct
        ? [value[0] * next[0], value[1] * next[1]]
        : fraction(value[0] * next[1], value[1] * next[0]);
    }
  };
  const sum = (): Fraction => {
    let value = product();
    for (;;) {
      const isSum = take('+');
      if (!isSum && !take('-')) return value;
      const [numerator, denominator] = product();
      const added = isSum ? numerator : -numerator;
      value = [value[0] * denominator + added * value[1], value[1] * denominator];
    }
  };
  const value = sum();
  if (at !== tokens.length) throw new Error(`${expression} continues after ${at}.`);
  return value;
}

type Line = {
  readonly lineType: string;
  readonly amount: number;
  readonly explanation: {
    readonly rule: string;
    readonly expression: string;
    readonly rounding: string;
    readonly inputs: Readonly<Record<string, string>>;
  };
};

type Invoice = {
  readonly invoiceNumber: string;
  readonly invoiceType: string;
  readonly subtotal: number;
  readonly discountAmount: number;
  readonly creditApplied: number;
  readonly taxAmount: number;
  readonly total: number;
  readonly tax: {
    readonly treatment: string;
    readonly ratePpm: number;
    readonly taxable: number;
    readonly amount: number;
  };
  readonly lineItems: readonly Line[];
};

const query = `query ($after: String) { invoices(first: 50, after: $after) {
  edges { node { invoiceNumber invoiceType subtotal discountAmount creditApplied taxAmount total
    tax { treatment ratePpm taxable amount } lineItems { lineType amount explanation { rule expression rounding inputs } } } }
  pageInfo { hasNextPage endCursor } } }`;

async function allInvoices({ graphql }: Pick<TestApp, 'graphql'>): Promise<Invoice[]> {
  const found: Invoice[] = [];
  for (let after: string | null = null; ; ) {
    type Page = {
      invoices: { edges: { node: Invoice }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
    };
    const { invoices }: Page = await graphql<Page>(query, { after });
    found.push(...invoices.edges.map(({ node }) => node));
    if (!invoices.pageInfo.hasNextPage) return found;
    after = invoices.pageInfo.endCursor;
  }
}

const named = (expression: string): string[] =>
  [...new Set(expression.match(/[a-z_]+/g))].filter((name) => name !== 'round' && name !== 'min').toSorted();

function checkLine({ amount, explanation: { rule, expression, rounding, inputs } }: Line): void {
  expect(rule).toMatch(/^[A-Z]{3}-\d+$/);
  expect(rounding).toBe(expression.includes('round') ? 'half_up' : 'none');
  expect(Object.keys(inputs).toSorted()).toEqual(named(expression));
  const [numerator, denominator] = evaluate(expression, inputs);
  expect([numerator % denominator, numerator / denominator]).toEqual([0n, BigInt(amount)]);
}

const sumOf = (lines: readonly Line[]): bigint => lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/**
 * Returns the totals calculated from line items and a tax rate (BIL-15, BIL-21). For a manual credit, only
 * the total is calculated (BIL-23).
 */
function sumsOf({ invoiceType, lineItems, tax }: Invoice): Record<string, bigint> {
  const discount = -sumOf(
    lineItems.filter(({ lineType }) => lineType === 'discount' || lineType === 'promo_code_discount'),
  );
  const credit = -sumOf(lineItems.filter(({ lineType }) => lineType === 'credit'));
  const subtotal = sumOf(lineItems) + discount + credit;
  if (invoiceType === 'adjustment' && credit > 0n) {
    return { subtotal: 0n, discountAmount: 0n, creditApplied: 0n, taxAmount: 0n, total: -credit };
  }
  const creditApplied = credit < subtotal - discount ? credit : subtotal - discount;
  const taxable = subtotal - discount - creditApplied;
  const taxAmount = rounded([taxable * BigInt(tax.ratePpm), 1_000_000n]);
  return { subtotal, discountAmount: discount, creditApplied, taxAmount, total: taxable + taxAmount };
}

function checkInvoice(invoice: Invoice): void {
  for (const line of invoice.lineItems) checkLine(line);
  const { subtotal, discountAmount, creditApplied, taxAmount, total, tax } = invoice;
  const shown = { subtotal, discountAmount, creditApplied, taxAmount, total };
  expect(Object.fromEntries(Object.entries(shown).map(([name, amount]) => [name, BigInt(amount)]))).toEqual(
    sumsOf(invoice),
  );
  expect(tax).toMatchObject({ taxable: subtotal - discountAmount - creditApplied, amount: taxAmount });
  if (tax.treatment !== 'taxed') expect(tax.ratePpm).toBe(0);
}

/**
 * Recalculates every line, total, and tax amount in all of the sandbox's invoices from their explanations, using only API responses.
 * Verifies the ledger. Returns the number of lines.
 */
async function expectExplained(shop: Pick<TestApp, 'graphql'>): Promise<number> {
  const invoices = await allInvoices(shop);
  for (const invoice of invoices) {
    try {
      checkInvoice(invoice);
    } catch (error) {
      throw new Error(`${invoice.invoiceNumber} is not what it says: ${JSON.stringify(invoice)}`, {
        cause: error,
      });
    }
  }
  await expectLedgerBalanced(shop);
  return invoices.reduce((count, { lineItems }) => count + lineItems.length, 0);
}

/** Recalculates the invoices of all shops, of which at least one has lines, and then closes the product. */
export async function closeStory(t: TestApp): Promise<void> {
  try {
    let lines = 0;
    for (const key of shopKeys(t))
      lines += await expectExplained({ graphql: (text, variables) => t.graphql(text, variables, { key }) });
    expect(lines).toBeGreaterThan(0);
  } finally {
    await t.close();
  }
}

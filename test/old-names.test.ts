import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

// Names that the API has and the model doesn't. Rates, pools, lots, and settlements replaced them (PRM-160, PRM-161).

const root = path.join(import.meta.dirname, '..');

/** Files of the domain that read the terms of API clients, or build the fields that API clients see. */
const contract = [
  'src/domain/pricing/feature-cell.ts',
  'src/domain/usage/access.ts',
  'src/domain/usage/check.ts',
];

/** Payloads of events, which have the names of the API. */
const payloads = 'src/domain/events/payloads/usage-payloads.ts';

/** Files in which a name can occur. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  unitPriceRate: [],
  pricingMode: contract,
  creditsPerUnit: [...contract, payloads],
  PlanFeatureRate: [],
  overageRate: [],
  creditCost: [],
  planCredits: [...contract, payloads],
  purchasedCredits: [...contract, payloads],
  // Amount in the changes of plans that earlier versions stored.
  balanceRate: ['src/domain/rows/change-rows.ts'],
  CustomerCredit: [],
};

/** Files that translate a pool to the consumption model that the API shows, or back. */
const models = [...contract, 'src/domain/pricing/pools.ts', 'src/domain/rows/enums.ts'];

const files = ['src/domain', 'src/engine', 'prisma/models'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|prisma)$/.test(name))
    .map((name) => [`${folder}/${name}`, readFileSync(path.join(root, folder, name), 'utf8')] as const),
);

const filesWith = (pattern: RegExp): readonly string[] =>
  files.flatMap(([file, text]) => (pattern.test(text) ? [file] : []));

describe('the domain, the engine, and the data model', () => {
  test.each(Object.entries(allowed))(
    'contain the name %s only in the files that translate the API',
    (name, known) => {
      const found = filesWith(new RegExp(`\\b${name}\\b`));
      expect(found.filter((file) => !known.includes(file))).toEqual([]);
    },
  );

  test('contain no column for the source of a price or its margin', () => {
    const columns = files.filter(
      ([file, text]) => file.endsWith('.prisma') && /\b(pricingMode|marginBps)\b/.test(text),
    );
    expect(columns.map(([file]) => file)).toEqual([]);
  });

  test('compare consumption models only in the files that translate pools', () => {
    const comparison =
      /onsumptionModel\b[^\n]{0,20}[!=]== '(?:metered|credits|balance)'|shownModel\(\w+\) [!=]==/;
    expect(filesWith(comparison).filter((file) => !models.includes(file))).toEqual([]);
    expect(files.length).toBeGreaterThan(300);
  });
});

/** Costs of values that can be large, by type or by field name. All other values cost 1. */
const byType: Readonly<Record<string, number>> = { Json: 100, TextMap: 100 };
const byName: Readonly<Record<string, number>> = {
  html: 20,
  body: 20,
  responseBody: 20,
  description: 2,
};

/** Returns the cost of a value, by the field's type and name. */
export const valueCost = (type: string, name: string): number =>
  byType[type] ?? (type === 'String' ? (byName[name] ?? 1) : 1);

/** Additional cost of fields that read or compute large amounts of data. */
export const workCosts = {
  /** Fields that read entire tables in the environment. */
  wholeTables: 10_000,
  /** Fields that request many objects from a payment provider. */
  providerRecords: 5_000,
  /** Fields that simulate thousands of deadlines. */
  simulation: 10_000,
  /** Fields that read up to 10,000 subscriptions. */
  impact: 1_000,
  /** Fields that compute a month's invoices. The cost is multiplied by the number of months. */
  forecastMonth: 50,
  /** Fields that read a time series for a metric. */
  series: 200,
  /** Fields that compute the values of one subscription, or render one document. */
  preview: 100,
  /** Fields that search several tables. */
  search: 500,
} as const;

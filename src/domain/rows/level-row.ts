/** Current level of a feature that a customer holds, in counted units. */
export type CustomerLevelRow = {
  readonly customerId: string;
  readonly featureId: string;
  readonly level: bigint;
};

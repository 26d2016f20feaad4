/** What was charged in the currency of the charge, minor units; null where that is not known. `grossAmount` is its worth in US cents. */
export const chargedAmount = ({
  presentmentAmount,
  grossAmount,
}: {
  readonly presentmentAmount: number | null;
  readonly grossAmount: number | null;
}): number | null => presentmentAmount ?? grossAmount;

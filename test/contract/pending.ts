/** Operations of the contract that are not offered yet. */
export const pending: readonly string[] = [];

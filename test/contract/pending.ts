/** Operations in the contract that the product doesn't offer yet. */
export const pending: readonly string[] = [];

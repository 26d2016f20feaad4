/**
 * Sum of the open holds of a feature (LIM-52): counted units as text, and the prices of holds whose price doesn't depend only on the
 * total, as a decimal in units of the asset.
 */
export type HeldUsage = { readonly units: string; readonly price: string };

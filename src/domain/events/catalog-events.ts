/**
 * Returns the event for a rate card whose rates were changed (PRM-6). `subscribers` is the number of subscriptions whose plan
 * or add-on refers to the card.
 */
export const rateCardUpdated = (
  {
    id,
    code,
    name,
    version,
  }: Readonly<Record<'id' | 'code' | 'name', string>> & { readonly version: number },
  subscribers: number,
  occurredAt: Date,
) => ({
  kind: 'rate_card.updated' as const,
  occurredAt,
  customerId: null,
  subscriptionId: null,
  data: { rateCardId: id, code, name, version, subscribers },
});

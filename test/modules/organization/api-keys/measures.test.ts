import { expect, it } from 'vitest';
import type { Access } from '../../../../src/graphql/declare/access.ts';
import { findArea } from '../../../../src/graphql/declare/areas.ts';
import { schema } from '../../../../src/schema.ts';

type Extensions = { readonly access: Access; readonly movesMoney?: true };

/** Operations that an API key can call, with the measures of policies that apply to them. */
const measures = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).flatMap(({ name, extensions }) => {
    const { access, movesMoney } = extensions as unknown as Extensions;
    if (!('scope' in access) && !('authenticated' in access)) return [];
    const isMutation = type === schema.getMutationType();
    return [
      { name, area: findArea(name), measure: !isMutation ? 'none' : movesMoney === true ? 'money' : 'calls' },
    ];
  }),
);

it('applies limits on money to every operation that charges, refunds, pays out, credits, or waives', () => {
  expect(measures.flatMap(({ name, measure }) => (measure === 'money' ? [name] : [])).toSorted()).toEqual([
    'bankStatementImport',
    'commitmentPurchase',
    'customerCreditCreate',
    'invoiceAdjustmentCreate',
    'invoiceCreate',
    'invoiceStatusUpdate',
    'lotGrant',
    'paymentCancel',
    'paymentCharge',
    'paymentCreate',
    'payoutCreate',
    'payoutSimulate',
    'planGrantCreate',
    'planGrantRevoke',
    'planGrantUpdate',
    'receiptApply',
    'receiptRecord',
    'receiptReturn',
    'sandboxAttemptReport',
    'sandboxTransfer',
    'seatsAdd',
    'seatsBulkSet',
    'seatsRemove',
    'seatsSet',
    'subscriptionAddonActivate',
    'subscriptionAddonDeactivate',
    'subscriptionBalanceAdjust',
    'subscriptionBalanceTopUp',
    'subscriptionCancel',
    'subscriptionChangePlan',
    'subscriptionCreate',
    'subscriptionCreditsPurchase',
    'subscriptionOfferApply',
    'subscriptionOfferRemove',
    'subscriptionPaymentMethodUpdate',
    'subscriptionReactivate',
    'subscriptionScheduledChangeRevoke',
    'subscriptionUncancel',
    'transactionDisputeResolve',
    'transactionRefund',
    'transactionRetry',
    'usageQuotaAdd',
    'usageQuotaRemove',
    'usageQuotaSet',
  ]);
});

it('counts every other mutation, and no query', () => {
  const queries = Object.keys(schema.getQueryType()?.getFields() ?? {});
  const counted = measures.filter(({ measure }) => measure !== 'none').map(({ name }) => name);
  expect(counted.filter((name) => queries.includes(name))).toEqual([]);
  const keyed = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(
    ({ extensions }) => 'scope' in (extensions as unknown as Extensions).access,
  );
  expect(keyed.filter(({ name }) => !counted.includes(name))).toEqual([]);
});

import type { ResultOf } from '../../ui/documents.ts';
import { usePage } from '../data/current-page.ts';
import { dayText, moneyText } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { NumberCell, Table } from './parts.tsx';
import { useOwn } from './portal-words.ts';
import type { CancelSectionDocument } from './sections/cancel.graphql';
import { AcceptOfferDocument, UndoDocument } from './steps.graphql';
import type { Speaking } from './texts.ts';
import type { PortalActions } from './use-portal.ts';

export type Offer = NonNullable<
  NonNullable<ResultOf<typeof CancelSectionDocument>['portal']['subscription']>['retentionOffer']
>;

/** Describes the savings of an offer. */
export function offerText({ page, own }: Speaking, offer: Offer): string {
  const { cancel: words } = own;
  const { name, charges, saving, endsAt, revokesCancellation } = offer;
  return [
    words.offer({ name, amount: moneyText(page, offer, saving), count: charges.length }),
    ...(endsAt === null ? [] : [words.regularAgain({ day: dayText(page, endsAt) })]),
    ...(revokesCancellation ? [words.takenBack] : []),
  ].join(' ');
}

/** Table of the next charges with and without the offer. */
export function OfferTable({ offer }: { readonly offer: Offer }) {
  const page = usePage();
  const own = useOwn();
  const { cancel: words, costs, invoices } = own;
  return (
    <Table label={words.payments} head={[invoices.date, words.withOffer, words.without]}>
      {offer.charges.map(({ charge, amountWithout }) => (
        <tr key={charge.date}>
          <th scope="row">{dayText(page, charge.date)}</th>
          <td>
            {charge.isFinal
              ? moneyText(page, offer, charge.amount)
              : costs.plusUsage({ amount: moneyText(page, offer, charge.amount) })}
          </td>
          <NumberCell>
            <s>{moneyText(page, offer, amountWithout)}</s>
          </NumberCell>
        </tr>
      ))}
    </Table>
  );
}

/** Accepts the displayed offer. `next` runs after the offer is applied. */
export function accept(
  { attempt, send }: PortalActions,
  { key }: Offer,
  reason: string,
  { done, next }: { readonly done: string; readonly next: () => void },
): void {
  attempt(() => send('stay', AcceptOfferDocument, { key, ...(reason === '' ? {} : { reason }) }), {
    done,
    next,
  });
}

/** Button that keeps a subscription with a scheduled cancellation. The confirmation shows the next charge. */
export function UndoButton({ actions }: { readonly actions: PortalActions }) {
  const { overview } = useOwn();
  return (
    <Button
      id="undo"
      disabled={actions.steps.isBusy}
      onClick={() =>
        actions.buy({
          action: 'uncancel',
          mutation: UndoDocument,
          input: {},
          title: overview.undoTitle,
          label: overview.undo,
          done: overview.undoDone,
        })
      }
    >
      {overview.undo}
    </Button>
  );
}

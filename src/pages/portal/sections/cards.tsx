import type { ResultOf } from '../../../ui/documents.ts';
import { usePage } from '../../data/current-page.ts';
import { Button } from '../../parts/button.tsx';
import { Actions, Badge, Item, List, Plain, Quiet } from '../parts.tsx';
import { useOwn } from '../portal-words.ts';
import {
  MakeDefaultDocument,
  RemoveCardDocument,
  RevokeMandateDocument,
  StoreDocument,
} from '../steps.graphql';
import { cardText } from '../texts.ts';
import { CardsSectionDocument } from './cards.graphql';
import { type SectionProps, sectionOf } from './kind.ts';

type Portal = ResultOf<typeof CardsSectionDocument>['portal'];
type StoredCard = Portal['paymentMethods'][number];

/** Subscription statuses that allow a card to be stored or selected. */
const chargeable: readonly string[] = ['trialing', 'active', 'past_due'];

function Cards({ portal, actions }: SectionProps<Portal>) {
  const page = usePage();
  const own = useOwn();
  const { cards: words } = own;
  const { subscription, settings, paymentMethods } = portal;
  const { isBusy } = actions.steps;
  const canChange =
    settings.updatePaymentMethod && subscription !== null && chargeable.includes(subscription.status);
  const present = subscription?.paymentMethod?.paymentMethodId;
  const add = (currency: string): void =>
    actions.ask({
      title: words.addTitle,
      text: words.addText,
      label: page.words.payment.saveCard,
      cardFor: { amount: 0, currency },
      act: (readCard) =>
        actions.attempt(async () => actions.send('store', StoreDocument, { ...(await readCard?.()) }), {
          done: words.added,
          isCardTyped: true,
        }),
    });
  const makeDefault = (card: StoredCard): void =>
    actions.ask({
      title: words.makeDefaultTitle,
      text: words.makeDefaultText({ card: cardText({ page, own }, card) }),
      label: words.makeDefault,
      cardFor: null,
      act: () =>
        actions.attempt(
          () => actions.send('default', MakeDefaultDocument, { paymentMethodId: card.paymentMethodId }),
          { done: words.madeDefault },
        ),
    });
  const remove = (card: StoredCard): void =>
    actions.ask({
      title: words.removeTitle,
      text: words.removeText({ card: cardText({ page, own }, card) }),
      label: words.remove,
      cardFor: null,
      act: () =>
        actions.attempt(
          () => actions.send('remove', RemoveCardDocument, { paymentMethodId: card.paymentMethodId }),
          { done: words.removed },
        ),
    });
  const revoke = (card: StoredCard, mandateId: string): void =>
    actions.ask({
      title: words.revokeTitle,
      text: words.revokeText({ card: cardText({ page, own }, card) }),
      label: words.revoke,
      cardFor: null,
      act: () =>
        actions.attempt(() => actions.send('revoke', RevokeMandateDocument, { mandateId }), {
          done: words.revoked,
        }),
    });
  /** Returns the action that ends the use of a payment method. `null` if the customer can't end it. */
  const ending = (card: StoredCard) => {
    const { mandate } = card;
    if (mandate?.isActive === true)
      return { label: words.revoke, isBusy, act: () => revoke(card, mandate.mandateId) };
    return settings.updatePaymentMethod && !card.isDefault
      ? { label: words.remove, isBusy, act: () => remove(card) }
      : null;
  };
  return (
    <Plain>
      <Quiet>{paymentMethods.length === 0 ? words.none : words.text}</Quiet>
      <List id="cards">
        {paymentMethods.map((card) => {
          const isPresent = card.paymentMethodId === present;
          return (
            <Item
              key={card.paymentMethodId}
              name={cardText({ page, own }, card)}
              text={
                card.mandate === null
                  ? ''
                  : card.mandate.isActive
                    ? words.mandate({ reference: card.mandate.reference })
                    : words.mandateEnded
              }
              mark={
                isPresent ? (
                  <Badge id="present-card" tone="good">
                    {words.isDefault}
                  </Badge>
                ) : null
              }
              action={
                canChange && !isPresent && card.mandate?.isActive !== false
                  ? { label: words.makeDefault, isBusy, act: () => makeDefault(card) }
                  : null
              }
              other={ending(card)}
            />
          );
        })}
      </List>
      {canChange ? (
        <Actions>
          <Button kind="quiet" id="add-card" disabled={isBusy} onClick={() => add(subscription.currency)}>
            {words.add}
          </Button>
        </Actions>
      ) : null}
    </Plain>
  );
}

/** Section with the saved cards and the default card. */
export const cards = sectionOf(CardsSectionDocument, Cards);

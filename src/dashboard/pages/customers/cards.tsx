import { useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { useCardText } from '../../parts/terms.ts';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { CustomerCardRemoveDocument } from './deletion.graphql';
import type { CustomerPageQuery } from './page.graphql';

type Customer = CustomerPageQuery['customer'];
type Card = Customer['paymentMethods'][number];

type RemoveProps = { readonly customerId: string; readonly card: Card; readonly onClose: () => void };

/** Asks before a stored card is removed. */
function RemoveCard({ customerId, card, onClose }: RemoveProps) {
  const { cards: words } = useCustomerWords();
  const cardText = useCardText();
  const [remove, { isRunning, error }] = useAction(CustomerCardRemoveDocument);
  const confirm = async () => {
    const answer = await remove({ input: { customerId, paymentMethodId: card.id } });
    if (answer instanceof ApiError) return;
    notify(words.removed(cardText(card)));
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.title}
      confirm={words.title}
      isPending={isRunning}
      onConfirm={() => void confirm()}
    >
      <Stack gap={2}>
        <Text as="p">{words.text(cardText(card))}</Text>
        <Rejection error={error} />
      </Stack>
    </ConfirmDialog>
  );
}

/** The stored cards. One that a subscription is charged to cannot be removed. */
export function Cards({ customer: { id, paymentMethods } }: { readonly customer: Customer }) {
  const { page, cards: words } = useCustomerWords();
  const cardText = useCardText();
  const [chosen, choose] = useState<Card | null>(null);
  if (paymentMethods.length === 0) return <Text color="muted">{page.about.noCards}</Text>;
  return (
    <Stack gap={1}>
      {paymentMethods.map((card) => (
        <Row key={card.id} gap={2}>
          <Text>{cardText(card)}</Text>
          <Text size="sm" color="muted">
            {page.about.expires(String(card.expMonth).padStart(2, '0'), String(card.expYear))}
          </Text>
          {card.isDefault && paymentMethods.length > 1 && <Badge>{page.about.isDefault}</Badge>}
          {!card.isDefault && (
            <Button
              size="sm"
              kind="quiet"
              aria-label={words.removeOf(cardText(card))}
              onPress={() => choose(card)}
            >
              {words.remove}
            </Button>
          )}
        </Row>
      ))}
      {chosen !== null && <RemoveCard customerId={id} card={chosen} onClose={() => choose(null)} />}
    </Stack>
  );
}

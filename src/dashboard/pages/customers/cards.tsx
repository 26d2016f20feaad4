import { useState } from 'react';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { useCardText } from '../../parts/terms.ts';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { CustomerCardRemoveDocument } from './deletion.graphql';
import type { CustomerPageQuery } from './page.graphql';

type Customer = CustomerPageQuery['customer'];
type Card = Customer['paymentMethods'][number];

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
      {chosen !== null && (
        <AskDialog
          document={CustomerCardRemoveDocument}
          input={{ customerId: id, paymentMethodId: chosen.id }}
          title={words.title}
          texts={[words.text(cardText(chosen))]}
          confirm={words.title}
          done={words.removed(cardText(chosen))}
          onClose={() => choose(null)}
        />
      )}
    </Stack>
  );
}

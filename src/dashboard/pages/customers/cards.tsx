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

/** Lists stored cards. A card that pays for a subscription can't be removed. */
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
            {page.about.expires({
              month: String(card.expMonth).padStart(2, '0'),
              year: String(card.expYear),
            })}
          </Text>
          {card.isDefault && paymentMethods.length > 1 && <Badge>{page.about.isDefault}</Badge>}
          {!card.isDefault && (
            <Button
              size="sm"
              kind="quiet"
              aria-label={words.removeOf({ card: cardText(card) })}
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
          texts={[words.text({ card: cardText(chosen) })]}
          confirm={words.removeCard}
          done={words.removed({ card: cardText(chosen) })}
          onClose={() => choose(null)}
        />
      )}
    </Stack>
  );
}

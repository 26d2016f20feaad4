import { useState } from 'react';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { useCardText } from '../../parts/terms.ts';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { CustomerCardRemoveDocument, CustomerMandateRevokeDocument } from './deletion.graphql';
import type { CustomerPageQuery } from './page.graphql';

type Customer = CustomerPageQuery['customer'];
type Card = Customer['paymentMethods'][number];

/** Lists stored payment methods with their mandates. A payment method that pays for a subscription can't be removed. */
export function Cards({ customer: { id, paymentMethods } }: { readonly customer: Customer }) {
  const { page, cards: words, mandates: mandateWords } = useCustomerWords();
  const cardText = useCardText();
  const [chosen, choose] = useState<Card | null>(null);
  const [revoked, revoke] = useState<Card | null>(null);
  if (paymentMethods.length === 0) return <Text color="muted">{page.about.noCards}</Text>;
  return (
    <Stack gap={1}>
      {paymentMethods.map((card) => (
        <Row key={card.id} gap={2}>
          <Text>{cardText(card)}</Text>
          <Text size="sm" color="muted">
            {card.mandates[0] === undefined
              ? page.about.expires({
                  month: String(card.expMonth).padStart(2, '0'),
                  year: String(card.expYear),
                })
              : mandateWords.mandate({ reference: card.mandates[0].reference })}
          </Text>
          {card.mandates[0]?.status === 'revoked' && <Badge tone="warning">{mandateWords.ended}</Badge>}
          {card.mandates[0]?.status === 'active' && (
            <Button
              size="sm"
              kind="quiet"
              aria-label={`${mandateWords.revoke}: ${cardText(card)}`}
              onPress={() => revoke(card)}
            >
              {mandateWords.revoke}
            </Button>
          )}
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
      {revoked?.mandates[0] !== undefined && (
        <AskDialog
          document={CustomerMandateRevokeDocument}
          input={{ id: revoked.mandates[0].id }}
          kind="danger"
          title={mandateWords.revokeTitle}
          texts={[mandateWords.revokeText({ card: cardText(revoked) })]}
          confirm={mandateWords.revoke}
          done={mandateWords.revoked}
          onClose={() => revoke(null)}
        />
      )}
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

import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import type { planToSell } from '../../parts/welcome/progress.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { WelcomeCustomerCreateDocument, WelcomeSubscriptionCreateDocument } from './page.graphql';

type Plan = NonNullable<ReturnType<typeof planToSell>>;

/** Customer that the button creates. The external ID makes a second press reuse the customer. */
const customer = { email: 'ada@example.com', fullName: 'Ada Lovelace', externalId: 'test-customer' };

/** Button that creates a test customer with a subscription and opens the checkout. */
export function TestCustomer({ plan, onDone }: { readonly plan: Plan; readonly onDone: () => void }) {
  const words = useWords('welcome');
  const [createCustomer, made] = useAction(WelcomeCustomerCreateDocument);
  const [subscribe, subscribed] = useAction(WelcomeSubscriptionCreateDocument);
  const create = async () => {
    // Opens the tab now, because browsers block tabs that open after a request.
    const tab = open('about:blank');
    const found = await createCustomer({ input: customer });
    const answer =
      found instanceof ApiError
        ? found
        : await subscribe({
            input: {
              customerId: found.customerCreate.id,
              planId: plan.id,
              ...(plan.prices[0] !== undefined && { billingInterval: plan.prices[0].billingInterval }),
            },
          });
    const url = answer instanceof ApiError ? null : answer.subscriptionCreate.checkoutUrl;
    if (url === null || url === undefined) tab?.close();
    else tab?.location.replace(url);
    onDone();
  };
  return (
    <Stack gap={2}>
      <Row gap={3}>
        <Button
          kind="primary"
          isPending={made.isRunning || subscribed.isRunning}
          onPress={() => void create()}
        >
          {words.testCustomer}
        </Button>
        <Text size="sm" color="muted">
          {words.testCustomerHelp({ email: customer.email, plan: plan.name })}
        </Text>
      </Row>
      <Rejection error={made.error ?? subscribed.error} />
    </Stack>
  );
}

import { useData } from '../../data/hooks.ts';
import { Columns, Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { WelcomeLink } from '../../parts/welcome/welcome-link.tsx';
import { useWords } from '../../words/words.ts';
import { Attention } from './attention.tsx';
import { FailedPayments } from './failed-payments.tsx';
import { Overview } from './overview.tsx';
import { HomeDocument } from './page.graphql';
import { PaymentsAhead } from './payments-ahead.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { TopCustomers } from './top-customers.tsx';

/** Home page: metrics, upcoming and failed payments, top customers, attention items, and recent activity. */
export default function HomePage() {
  const { home } = useWords('titles');
  const { data } = useData(HomeDocument, {});
  const currency = data?.organization.reportingCurrency ?? null;
  return (
    <Page title={home} isTitleHidden>
      <Stack gap={6}>
        <WelcomeLink />
        <Overview currency={currency} />
        <Columns count="aside" gap={8}>
          <Stack gap={6}>
            <PaymentsAhead currency={currency} />
            <FailedPayments />
            <TopCustomers />
          </Stack>
          <Stack gap={6}>
            <Attention />
            <RecentActivity />
          </Stack>
        </Columns>
      </Stack>
    </Page>
  );
}

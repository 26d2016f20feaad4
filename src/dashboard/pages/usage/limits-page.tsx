import { Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { useWords } from '../../words/words.ts';
import { CustomerLimitsSection } from './customer-limits-section.tsx';
import { HistorySection } from './history-section.tsx';
import { SharedLimitsSection } from './shared-limits-section.tsx';
import { UsageTabs } from './tabs.tsx';
import { TemplatesSection } from './templates-section.tsx';

/** Limits of the organization and of plans, templates, limits of customers, and the history of crossings and rejections. */
export default function UsageLimitsPage() {
  const title = useWords('titles').usageLimits;
  return (
    <Page title={title} tabs={<UsageTabs selected="limits" />}>
      <Stack gap={8}>
        <SharedLimitsSection />
        <TemplatesSection />
        <HistorySection />
        <CustomerLimitsSection />
      </Stack>
    </Page>
  );
}

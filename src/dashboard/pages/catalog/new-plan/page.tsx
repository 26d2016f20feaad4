import { useState } from 'react';
import { addressOf } from '../../../address.ts';
import { LinkButton } from '../../../kit/button.tsx';
import { Page } from '../../../kit/page.tsx';
import { Tabs } from '../../../kit/tabs.tsx';
import { FirstPlan } from '../../../parts/catalog/first-plan/first-plan.tsx';
import { openAddress } from '../../../router-address.ts';
import { useWords } from '../../../words/words.ts';
import { EmptyPlanForm } from './empty-plan-form.tsx';

/** Creates a plan from a template, which contains a price and a feature, or an empty plan. */
export default function NewPlanPage() {
  const title = useWords('titles').planNew;
  const words = useWords('plans');
  const [tab, setTab] = useState('template');
  const go = (planId: string) => openAddress(addressOf('plan', { id: planId }));
  return (
    <Page title={title} actions={<LinkButton href={addressOf('plans')}>{words.back}</LinkButton>}>
      <Tabs
        label={title}
        selected={tab}
        onSelect={setTab}
        items={[
          {
            id: 'template',
            label: words.fromTemplate,
            content: <FirstPlan onDone={({ planId }) => go(planId)} />,
          },
          { id: 'empty', label: words.fromNothing, content: <EmptyPlanForm onDone={go} /> },
        ]}
      />
    </Page>
  );
}

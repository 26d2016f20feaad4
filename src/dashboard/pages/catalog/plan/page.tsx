import { useEffect, useEffectEvent, useState } from 'react';
import { addressOf, useParameter } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Badge } from '../../../kit/badge.tsx';
import { Breadcrumbs } from '../../../kit/breadcrumbs.tsx';
import { Callout } from '../../../kit/callout.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { ErrorState } from '../../../kit/error-state.tsx';
import { Columns, Row, Stack } from '../../../kit/layout.tsx';
import { Page } from '../../../kit/page.tsx';
import { Loading } from '../../../kit/states.tsx';
import { Text } from '../../../kit/text.tsx';
import { planSteps } from '../../../parts/catalog/model/changes.ts';
import { draftOf } from '../../../parts/catalog/model/plan-answer.ts';
import type { PlanDraft } from '../../../parts/catalog/model/plan-draft.ts';
import { hasRateProblem } from '../../../parts/catalog/model/rate-problem.ts';
import { overlaps, rebased } from '../../../parts/catalog/model/rebase.ts';
import { language } from '../../../words/language.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogPlanDocument, CatalogSavedCardsDocument, CatalogSurroundingsDocument } from './page.graphql';
import { ArchivedPrices } from './parts/archived-prices.tsx';
import { surroundingsOf } from './parts/catalog-objects.ts';
import { ChangesBar } from './parts/changes-bar.tsx';
import { WorldPart } from './parts/currencies-part.tsx';
import { FeaturesPart } from './parts/features-part.tsx';
import { PlanActions } from './parts/plan-actions.tsx';
import { PoolPart, usePoolName } from './parts/pool-part.tsx';
import { PreviewPart } from './parts/preview-part.tsx';
import { PricesPart } from './parts/prices-part.tsx';
import { TermsPart } from './parts/terms-part.tsx';

/** Draft of the plan, and the saved plan that the draft is based on. */
type Edited = { readonly base: PlanDraft; readonly draft: PlanDraft };

/** Calls `onReturn` when the user returns to the tab, because someone else may have changed the plan. */
function useReturn(onReturn: () => void): void {
  const call = useEffectEvent(onReturn);
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) call();
    };
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, []);
}

/** Plan editor for terms, features, prices, currencies and markets. Changes are collected and reviewed before they are saved. */
export default function PlanPage() {
  const id = useParameter('id');
  const words = useWords('plan');
  const common = useWords('catalog');
  const titleWords = useWords('titles');
  const { data, error, refetch } = useData(CatalogPlanDocument, { id });
  const around = useData(CatalogSurroundingsDocument, { language });
  const cards = useData(CatalogSavedCardsDocument, {});
  const [edited, setEdited] = useState<Edited | null>(null);
  const surroundings = surroundingsOf(around.data, cards.data);
  const poolName = usePoolName(surroundings.units);
  useReturn(refetch);
  const plan = data?.plan ?? null;
  if (plan === null)
    return (
      <Page title={titleWords.plan}>
        {error === null ? (
          <Loading lines={12} />
        ) : (
          <ErrorState
            title={words.notLoaded}
            message={common.rejections.plan_not_found}
            {...(error.requestId !== null && { requestId: error.requestId })}
            onRetry={refetch}
          />
        )}
      </Page>
    );
  const saved = draftOf(plan);
  const draft = edited === null ? saved : rebased(edited.base, edited.draft, saved);
  const change = (changed: PlanDraft) => setEdited({ base: saved, draft: changed });
  const subscribers = new Map(plan.prices.map(({ id, subscriptionCount }) => [id, subscriptionCount]));
  const part = { draft, saved, surroundings, onChange: change };
  const invalid = draft.features.find(hasRateProblem);
  const isOverlapping = edited !== null && overlaps(edited.base, edited.draft, saved);
  return (
    <Page
      title={saved.name}
      status={
        <Row gap={1}>
          {!plan.isPublic && <Badge>{common.hidden}</Badge>}
          {plan.isFree && <Badge tone="positive">{common.free}</Badge>}
          <Badge tone="info">{common.models[saved.model]}</Badge>
        </Row>
      }
      subtitle={
        <Row gap={3}>
          <Copy value={plan.code} />
          <Text color="muted">{words.subscribers({ count: plan.subscriptionCount })}</Text>
        </Row>
      }
      breadcrumbs={<Breadcrumbs items={[{ label: words.allPlans, href: addressOf('plans') }]} />}
      actions={<PlanActions plan={saved} />}
    >
      <Columns count="aside" gap={5}>
        <Stack gap={6}>
          {isOverlapping && (
            <div role="status">
              <Callout tone="warning">{words.overlap}</Callout>
            </div>
          )}
          <TermsPart {...part} />
          <FeaturesPart {...part} pools={plan.pools.map(({ asset }) => ({ asset, name: poolName(asset) }))} />
          <PoolPart plan={saved} pools={plan.pools} units={surroundings.units} onDone={refetch} />
          {!saved.isFree && <PricesPart {...part} subscribers={subscribers} />}
          {plan.archivedPrices.length > 0 && <ArchivedPrices prices={plan.archivedPrices} />}
          {!saved.isFree && <WorldPart {...part} />}
        </Stack>
        <PreviewPart {...part} />
      </Columns>
      <ChangesBar
        steps={planSteps(saved, draft)}
        planId={saved.id}
        surroundings={surroundings}
        problem={invalid === undefined ? null : words.rate.invalid({ feature: invalid.name })}
        onReview={refetch}
        onDiscard={() => setEdited(null)}
        onDone={() => {
          setEdited(null);
          refetch();
        }}
        onStopped={refetch}
      />
    </Page>
  );
}

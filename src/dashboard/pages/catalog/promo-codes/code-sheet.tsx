import type { ResultOf } from '../../../../ui/documents.ts';
import { addressOf } from '../../../address.ts';
import { useAction, useData } from '../../../data/hooks.ts';
import { Switch } from '../../../kit/choice.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { FactList } from '../../../kit/fact-list.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { useDraft } from '../../../kit/use-draft.ts';
import { DateText } from '../../../kit/values.tsx';
import { useWords } from '../../../words/words.ts';
import { EditSheet } from '../parts/edit-sheet.tsx';
import { type Limits, LimitsForm } from './limits-form.tsx';
import {
  CatalogCodeChoicesDocument,
  type CatalogPromoCodesDocument,
  CatalogPromoCodeUpdateDocument,
} from './page.graphql';

export type PromoCode = ResultOf<typeof CatalogPromoCodesDocument>['promoCodes']['nodes'][number];

const limitsOf = ({ maxRedemptions, expiresAt, billingInterval, planIds }: PromoCode): Limits => ({
  maxRedemptions,
  expiresAt,
  billingInterval,
  planIds,
});

type CodeSheetProps = {
  readonly code: PromoCode;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

/** Sheet with a promo code's redemptions, limits and status. Codes can be disabled, but not deleted. */
export function CodeSheet({ code, onClose, onDone }: CodeSheetProps) {
  const words = useWords('promocodes');
  const common = useWords('catalog');
  const plans = useData(CatalogCodeChoicesDocument, {}).data?.plans.nodes ?? [];
  const [update, { isRunning, error }] = useAction(CatalogPromoCodeUpdateDocument);
  const draft = useDraft(
    { limits: limitsOf(code), active: code.isActive },
    {
      needsChange: true,
      send: ({ limits, active }) =>
        update({ input: { id: code.id, ...limits, ...(active !== code.isActive && { active }) } }),
      onDone,
    },
  );
  const { values, change, choice } = draft;
  return (
    <EditSheet
      title={code.code}
      subtitle={<Copy value={code.code} />}
      save={common.verbs.save}
      draft={draft}
      isRunning={isRunning}
      error={error}
      onClose={onClose}
    >
      <Stack gap={5}>
        <FactList
          items={[
            {
              label: words.offer,
              value: <Link href={addressOf('offers', null, { open: code.offer.id })}>{code.offer.name}</Link>,
            },
            {
              label: words.redeemed,
              value: words.redemptions({
                count: code.redemptionCount,
                most: code.maxRedemptions ?? 0,
                isLimited: code.maxRedemptions !== null,
              }),
            },
            { label: words.madeOn, value: <DateText at={code.createdAt} /> },
          ]}
        />
        <Switch {...choice('active')} help={words.activeHelp}>
          {words.active}
        </Switch>
        <LimitsForm value={values.limits} plans={plans} onChange={(limits) => change({ limits })} />
      </Stack>
    </EditSheet>
  );
}

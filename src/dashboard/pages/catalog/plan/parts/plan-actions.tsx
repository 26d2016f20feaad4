import { useState } from 'react';
import { addressOf } from '../../../../address.ts';
import { ApiError } from '../../../../data/api-error.ts';
import { useAction } from '../../../../data/hooks.ts';
import { ConfirmDialog } from '../../../../kit/dialog.tsx';
import { Stack } from '../../../../kit/layout.tsx';
import { Menu } from '../../../../kit/menu.tsx';
import { Text } from '../../../../kit/text.tsx';
import { CatalogPlanDeleteDocument } from '../../../../parts/catalog/commands.graphql';
import type { PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { Rejection } from '../../../../parts/catalog/rejection.tsx';
import { openAddress } from '../../../../router-address.ts';
import type { plan as planWords } from '../../../../words/en/plan.ts';
import { useWords } from '../../../../words/words.ts';
import { ImpactNote } from '../../parts/impact-note.tsx';

/** What can be done with a plan as a whole. */
export function PlanActions({ plan }: { readonly plan: PlanDraft }) {
  const { actions: words } = useWords<typeof planWords>('plan');
  const [isAsking, setAsking] = useState(false);
  const [remove, { isRunning, error }] = useAction(CatalogPlanDeleteDocument);
  const confirm = async () => {
    const result = await remove({ input: { id: plan.id } });
    if (!(result instanceof ApiError)) openAddress(addressOf('plans'));
  };
  return (
    <>
      <Menu
        items={[{ id: 'delete', label: words.delete, tone: 'danger', onAction: () => setAsking(true) }]}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.deleteTitle(plan.name)}
        confirm={words.delete}
        isPending={isRunning}
        onConfirm={() => void confirm()}
      >
        <Stack gap={3}>
          <Text>{words.deleteText}</Text>
          <ImpactNote change={{ planDelete: { id: plan.id } }} />
          <Rejection error={error} />
        </Stack>
      </ConfirmDialog>
    </>
  );
}

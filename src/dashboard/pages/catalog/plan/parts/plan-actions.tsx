import { useState } from 'react';
import { addressOf } from '../../../../address.ts';
import { Menu } from '../../../../kit/menu.tsx';
import { CatalogPlanDeleteDocument } from '../../../../parts/catalog/commands.graphql';
import type { PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { openAddress } from '../../../../router-address.ts';
import { AskDialog } from '../../../../shell/ask-dialog.tsx';
import { useWords } from '../../../../words/words.ts';
import { ImpactNote } from '../../parts/impact-note.tsx';

/** Menu of plan actions. */
export function PlanActions({ plan }: { readonly plan: PlanDraft }) {
  const { actions: words } = useWords('plan');
  const { rejections } = useWords('catalog');
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Menu
        items={[{ id: 'delete', label: words.delete, tone: 'danger', onAction: () => setAsking(true) }]}
      />
      {isAsking && (
        <AskDialog
          document={CatalogPlanDeleteDocument}
          input={{ id: plan.id }}
          title={words.deleteTitle({ name: plan.name })}
          texts={[words.deleteText]}
          confirm={words.delete}
          errors={rejections}
          onDone={() => openAddress(addressOf('plans'))}
          onClose={() => setAsking(false)}
        >
          <ImpactNote change={{ planDelete: { id: plan.id } }} />
        </AskDialog>
      )}
    </>
  );
}

import { CommandQuotaSetDocument } from './commands.graphql';
import { countSet } from './count-set.tsx';

export const quotaSet = countSet({
  name: 'quotaSet',
  type: 'quota',
  countsOf: ({ quotas }) => quotas,
  document: CommandQuotaSetDocument,
});

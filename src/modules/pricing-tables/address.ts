import type { Context } from '../../context.ts';

/** The address of the page of a pricing table, the same each time. */
export async function tableUrl(
  { app, environment }: Pick<Context, 'app' | 'environment'>,
  id: string,
): Promise<string> {
  const token = await app.secrets.signPage({ page: 'pricing', environmentId: environment.id, subjectId: id });
  return `${app.config.publicUrl}/pricing/${token}`;
}

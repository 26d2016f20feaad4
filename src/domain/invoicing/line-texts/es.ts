import { lineTextIn, type StoredLine } from './line-text.ts';

/** What a line says in Spanish. */
export const lineText = (line: StoredLine): string =>
  lineTextIn(
    {
      intervals: {
        weekly: 'semanal',
        monthly: 'mensual',
        quarterly: 'trimestral',
        yearly: 'anual',
        one_time: 'una vez',
      },
      beyond: (count, included) => `${count} por encima de ${included} incluidos`,
      risen: (count, day, days) =>
        `${count} más desde el ${day}, por ${days} ${days === '1' ? 'día' : 'días'}`,
      unused: (days, totalDays) => `${days} de ${totalDays} días sin usar`,
      customerCredit: (day) => `Crédito del ${day}`,
      overBalance: (feature) =>
        feature === null ? 'Uso por encima del saldo' : `${feature}: uso por encima del saldo`,
      packCredits: (count) => `${count} créditos`,
      topUp: 'Recarga de saldo',
    },
    line,
  );

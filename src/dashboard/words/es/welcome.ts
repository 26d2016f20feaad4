import type { welcome as english } from '../en/welcome.ts';
import type { Translation } from '../words.ts';

export const welcome: Translation<typeof english> = {
  text: 'Cinco pasos desde cero hasta un año de facturación, en cualquier orden. Cada uno se marca solo al estar hecho.',
  allDone: 'Los cinco pasos están hechos. Tu negocio está en Inicio.',
  toHome: 'Ir a Inicio',
  linkTitle: 'Primeros pasos',
  progress: (done: number, all: number) => `${done} de ${all} pasos hechos.`,
  goOn: 'Continuar',
  steps: {
    organization: 'Di quién eres',
    plan: 'Crea tu primer plan',
    sell: 'Véndelo',
    pay: 'Paga como un cliente',
    year: 'Mira pasar un año',
  },
  doneTexts: {
    organization: 'Cambia nombre, logotipo y color cuando quieras en Ajustes.',
    plan: 'Tus planes están en Catálogo.',
    sell: 'Tu primer cliente ya está.',
    pay: 'La primera suscripción está activa.',
    year: 'El reloj del entorno de pruebas se ha movido.',
  },
  fields: { name: 'Nombre', country: 'País', accentColor: 'Color' },
  save: 'Guardar',
  adminOnly: 'Esto lo hace un propietario o administrador de tu organización.',
  orExample: 'O míralo todo en marcha: llena el entorno de pruebas con una tienda de ejemplo.',
  planFirst: 'Crea antes un plan.',
  sellText: (plan: string) =>
    `Esto crea un cliente que se suscribe a ${plan}. Ejecútalo donde funciona tu producto.`,
  sellCode: 'Código que crea un cliente con una suscripción',
  makeKey: 'Crear una clave para este código',
  makeKeyHelp: 'O usa la clave que mostró el primer inicio.',
  keyName: 'Primeros pasos',
  keyOnce:
    'La clave está ahora en el código y solo se muestra esta vez. Guárdala donde tu producto guarda sus secretos.',
  waiting: 'Esta página sigue sola en cuanto llega tu cliente.',
  sellFirst: 'Vende algo antes: entonces aquí estará el enlace para pagar.',
  payText: (email: string) =>
    `El pago de ${email} está abierto. Paga con esta tarjeta, que siempre funciona en el entorno de pruebas.`,
  card: 'Número de tarjeta',
  expiry: 'Caduca',
  cvc: 'Código de seguridad',
  openCheckout: 'Abrir la página de pago',
  yearText:
    'Mueve el reloj del entorno de pruebas y mira renovaciones, facturas y pagos fallidos de los próximos meses.',
  openTimeMachine: 'Abrir la máquina del tiempo',
};

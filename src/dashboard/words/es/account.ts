import type { account as english } from '../en/account.ts';
import type { Translation } from '../words.ts';

export const account: Translation<typeof english> = {
  actions: 'Acciones',
  text: 'Tuya, en todas las organizaciones a las que perteneces.',
  profile: 'Tú',
  name: 'Nombre',
  saveName: 'Guardar nombre',
  nameSaved: 'Tu nombre se ha guardado.',
  emailTitle: 'Correo electrónico',
  newEmail: 'Dirección nueva',
  emailHelp: (email: string) =>
    `Inicias sesión con ${email}. Una dirección nueva vale cuando abres el enlace que se le envía.`,
  emailSent: (email: string) => `Se ha enviado un enlace a ${email}. Hasta que lo abras, nada cambia.`,
  changeEmail: 'Cambiar correo',
  password: 'Contraseña',
  currentPassword: 'Contraseña actual',
  newPassword: 'Contraseña nueva',
  passwordHelp: '10 caracteres o más',
  changePassword: 'Cambiar contraseña',
  passwordSaved: 'Tu contraseña ha cambiado y las demás sesiones han terminado.',
  codes: 'Códigos de un solo uso',
  codesOff:
    'Una aplicación de autenticación crea un código que cada inicio de sesión necesita además de la contraseña.',
  codesOn:
    'Cada inicio de sesión necesita un código de tu aplicación de autenticación además de la contraseña.',
  setUpCodes: 'Configurar códigos de un solo uso',
  secret: 'Clave para la aplicación',
  secretHelp:
    'Añade una cuenta a tu aplicación con esta clave, o abre el enlace en el dispositivo que tiene la aplicación.',
  openApp: 'Abrir en la aplicación',
  recoveryCodes: 'Códigos de recuperación',
  recoveryHelp:
    'Guárdalos donde los encuentres sin tu teléfono. Cada uno funciona una vez, y solo se muestran ahora.',
  firstCode: 'Código que muestra la aplicación',
  confirmCodes: 'Confirmar',
  codesSaved: 'Los códigos de un solo uso están activados.',
  renewCodes: 'Nuevos códigos de recuperación',
  removeCodes: 'Quitar los códigos de un solo uso',
  codesRemoved: 'Los códigos de un solo uso están desactivados. Basta la contraseña para iniciar sesión.',
  sessions: 'Sesiones',
  device: 'Dispositivo',
  unknownDevice: 'Dispositivo desconocido',
  thisOne: 'Esta sesión',
  signedIn: 'Inicio',
  lastUsed: 'Último uso',
  end: 'Terminar',
  endOthers: 'Terminar las demás',
  ended: 'Terminado.',
  display: 'Aspecto del panel',
  shortcutsHelp: 'Por ejemplo g y después c para clientes. Las combinaciones con Ctrl o ⌘ funcionan siempre.',
};

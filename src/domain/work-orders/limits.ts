// NATS as the bus (contract.md section 9)
export const WORK_ORDER_ID_CHARACTERS_MAX = 100;
export const WORK_ORDER_TITLE_CHARACTERS_MAX = 300;
export const WORK_ORDER_STATUS_CHARACTERS_MAX = 100;

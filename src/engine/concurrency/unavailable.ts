/** What every task needs cannot be reached: tasks that wait behind it fail with it. */
export class Unavailable extends Error {}

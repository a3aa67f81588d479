// Makes a small shop a large one: copies its products with their stock, and its orders with their payments, under ids and numbers of
// their own, with one statement that inserts events. Members, sellers and coupons stay as they are, so that each has many orders.

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const ORDER_NO = /\b(\d{8}-)[0-9A-Z]{4}([0-9A-Z]{4})\b/g
const CHARGE = /\b(SBX)[0-9a-f]{8}([0-9a-f]{24})\b/g
const PRODUCT_KINDS = ['product', 'stock']
const ORDER_KINDS = ['order', 'payment', 'user-payment']
/** Stand for the number of the copy in ids of products, in ids of orders, and in numbers of orders. */
const MARKS = { product: '<p>', order: '<o>', number: '<n>' }

const lines = (text) => text.split('\n').filter((line) => line !== '')

/** The events of a small shop as templates: where an id or number changes with the copy, it has a mark. */
function templates(sql) {
  const rows = lines(
    sql(
      `SELECT json_build_array(global_position, aggregate_type, aggregate_id, payload) FROM events
       WHERE aggregate_type = ANY ('{${[...PRODUCT_KINDS, ...ORDER_KINDS].join(',')}}') ORDER BY global_position`,
    ),
  ).map((line) => JSON.parse(line))
  const kept = new Set(
    lines(
      sql(
        `SELECT DISTINCT aggregate_id FROM events WHERE aggregate_type <> ALL ('{${[...PRODUCT_KINDS, ...ORDER_KINDS].join(',')}}')`,
      ),
    ).flatMap((id) => id.match(UUID) ?? []),
  )
  const products = new Set()
  for (const [, kind, id, payload] of rows) {
    // A stream of stock names orders, a product its options.
    const text = kind === 'product' ? id + JSON.stringify(payload) : kind === 'stock' ? id : ''
    for (const own of text.match(UUID) ?? []) if (!kept.has(own)) products.add(own)
  }
  const numbers = new Set()
  const marked = (text) =>
    text
      .replace(UUID, (id) => {
        if (kept.has(id)) return id
        return (products.has(id) ? MARKS.product : MARKS.order) + id.slice(8)
      })
      .replace(ORDER_NO, (whole, day, end) => {
        numbers.add(whole)
        return `${day}${MARKS.number}${end}`
      })
      .replace(CHARGE, `$1${MARKS.order}$2`)
  const made = rows.map(([position, kind, id, payload]) => {
    const text = marked(JSON.stringify(payload))
    const code = kind === 'product' ? text.replace(/"code":"([A-Z0-9-]+)"/, `"code":"$1-${MARKS.product}"`) : text
    return { position, kind, id: marked(id), payload: code }
  })
  const ends = new Set([...numbers].map((number) => number.replace(ORDER_NO, '$1$2')))
  if (ends.size < numbers.size) throw new Error('two orders would have the same number: seed again')
  return made
}

/** Copies until there are so many products and orders; returns the number of events that were inserted. */
export function copyShop(sql, { products, orders }) {
  const made = templates(sql)
  const count = (kind) => new Set(made.filter((one) => one.kind === kind).map((one) => one.id)).size
  const productCopies = Math.ceil(products / count('product'))
  const orderCopies = Math.ceil(orders / count('order'))
  const values = made.map(
    ({ position, kind, id, payload }) =>
      `(${position}, ${PRODUCT_KINDS.includes(kind)}, $t$${id}$t$, $t$${payload}$t$)`,
  )
  const hex = (number) => `lpad(to_hex(${number}), 8, '0')`
  // A copied order is of copied products.
  const ofCopy = (text) =>
    `replace(replace(replace(${text}, '${MARKS.product}', ${hex(`1 + copy % ${productCopies}`)}), '${MARKS.order}', ${hex('copy')}), '${MARKS.number}', lpad(copy::text, 5, '0'))`
  sql(`CREATE TABLE copied_events (position bigint, of_product boolean, id text, payload text);
    INSERT INTO copied_events VALUES ${values.join(',\n')}`)
  const before = Number(sql('SELECT max(global_position) FROM events'))
  sql(`INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, event_id, occurred_at)
    SELECT e.aggregate_type, ${ofCopy('c.id')}, e.sequence, e.event_type, e.event_version, ${ofCopy('c.payload')}::json, e.metadata,
           gen_random_uuid(), e.occurred_at
    FROM generate_series(0, ${Math.max(productCopies, orderCopies) - 1}) AS copy
    JOIN copied_events c ON copy < CASE WHEN c.of_product THEN ${productCopies} ELSE ${orderCopies} END
    JOIN events e ON e.global_position = c.position
    ORDER BY copy, c.position;
    DROP TABLE copied_events; ANALYZE events`)
  const head = Number(sql('SELECT max(global_position) FROM events'))
  // Policies would congratulate on every copy.
  sql(`UPDATE projection_checkpoint SET position = ${head} WHERE name LIKE 'policy_%'`)
  return head - before
}

-- What analysts may read: documented views in a schema of their own, for a role that can read nothing else and write nothing.
--
-- The views of the read models are made anew with every version, and Postgres does not let go of a view that another one needs.
-- So these stand on functions, whose bodies are looked up when they run. They run as their owner: the role needs no right to
-- what is behind them.
CREATE SCHEMA IF NOT EXISTS analyst;
COMMENT ON SCHEMA analyst IS 'for analysts; see docs/analyst.md';
DROP VIEW IF EXISTS analyst.orders, analyst.purchases, analyst.products, analyst.stock, analyst.points, analyst.coupons, analyst.events;
DROP FUNCTION IF EXISTS analyst.read_orders(), analyst.read_purchases(), analyst.read_products(), analyst.read_stock(),
    analyst.read_points(), analyst.read_coupons(), analyst.read_events();

CREATE FUNCTION analyst.read_orders()
RETURNS TABLE (order_id uuid, order_no text, buyer uuid, status text, payable bigint, payment_method text,
               created_at timestamptz, paid_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT id, order_no, buyer, status, payable, payment_method, created_at, paid_at FROM orders $$;
CREATE VIEW analyst.orders AS SELECT * FROM analyst.read_orders();
COMMENT ON VIEW analyst.orders IS 'one row an order; buyer is a pseudonym, null for guests; amounts in hundredths';

CREATE FUNCTION analyst.read_purchases()
RETURNS TABLE (purchase_no text, split_from text, order_id uuid, buyer uuid, seller uuid, product uuid, option uuid, name text,
               option_name text, quantity bigint, unit_price bigint, paid bigint, order_status text, claim_status text, purchase_status text,
               created_at timestamptz, paid_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT purchase_no, split_from, order_id, buyer, seller, product, option, name, option_name, quantity, unit_price, paid,
          order_status, claim_status, purchase_status, created_at, paid_at FROM orders_purchases $$;
CREATE VIEW analyst.purchases AS SELECT * FROM analyst.read_purchases();
COMMENT ON VIEW analyst.purchases IS 'one row a line of an order, or some pieces of one that a claim split off (split_from); paid is what the buyer pays for the line, fares apart, in hundredths';

CREATE FUNCTION analyst.read_products()
RETURNS TABLE (product uuid, code text, name text, seller uuid, price bigint, sale_price bigint, brand text, categories text[],
               shows boolean, removed boolean, created_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT id, code, name, seller, price, sale_price, brand, categories, shows, removed, created_at FROM products $$;
CREATE VIEW analyst.products AS SELECT * FROM analyst.read_products();
COMMENT ON VIEW analyst.products IS 'one row a product, also removed ones; prices in hundredths';

CREATE FUNCTION analyst.read_stock()
RETURNS TABLE (pile uuid, product uuid, counted bigint, taken bigint, given_back bigint, written_off bigint, available bigint,
               sells bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT id, product, counted, taken, given_back, written_off, available, sells FROM stock $$;
CREATE VIEW analyst.stock AS SELECT * FROM analyst.read_stock();
COMMENT ON VIEW analyst.stock IS 'one row a pile of goods (a product or an option): available = counted - taken + given_back, sells = taken - given_back - written_off';

CREATE FUNCTION analyst.read_points()
RETURNS TABLE ("position" bigint, member uuid, kind text, amount bigint, order_id uuid, created_at timestamptz,
               expires_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT position, member, kind, amounts, order_id, created_at, expires_at FROM points_book $$;
CREATE VIEW analyst.points AS SELECT * FROM analyst.read_points();
COMMENT ON VIEW analyst.points IS 'every movement of points, INCREASE or DECREASE, in hundredths';

CREATE FUNCTION analyst.read_coupons()
RETURNS TABLE (issued uuid, coupon uuid, member uuid, used boolean, order_id uuid, amount bigint, issued_at timestamptz,
               used_at timestamptz, ends_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT id, coupon, member, used, order_id, amount, issued_at, used_at, ends_at FROM coupon_box $$;
CREATE VIEW analyst.coupons AS SELECT * FROM analyst.read_coupons();
COMMENT ON VIEW analyst.coupons IS 'one row a coupon somebody has; amount is what it takes off the order it is used for, in hundredths';

CREATE FUNCTION analyst.read_events()
RETURNS TABLE ("position" bigint, stream_kind text, stream_id text, version bigint, type text, command text, actor_kind text,
               correlation_id uuid, causation_id uuid, occurred_at timestamptz, recorded_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT "position", stream_kind, stream_id, version, type, command, actor_kind, correlation_id, causation_id, occurred_at,
          recorded_at FROM event_outlines $$;
CREATE VIEW analyst.events AS SELECT * FROM analyst.read_events();
COMMENT ON VIEW analyst.events IS 'what happened, when, by which command and because of what; without what the event says';

DO $$
BEGIN
    CREATE ROLE jangbu_analyst NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL; -- roles belong to the server, and another shop on it made this one
END
$$;
GRANT USAGE ON SCHEMA analyst TO jangbu_analyst;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA analyst FROM PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA analyst TO jangbu_analyst;
GRANT SELECT ON ALL TABLES IN SCHEMA analyst TO jangbu_analyst;
